// A seccomp filter in classic BPF (seccomp(2)): the system calls that Node needs to run JavaScript, read two files and
// talk over inherited pipes. All others fail with EPERM, above all those that create sockets, processes and files, and
// `sysinfo`, which tells load and memory of the machine.

interface Machine {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly audit: number;
  /** Position of a call's number in each row of CALLS. */
  readonly column: 0 | 1;
}

const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/** Numbers on x86-64 and on arm64; undefined where the machine has no such call. */
const CALLS: Readonly<Record<string, readonly [number | undefined, number | undefined]>> = {
  // Reading and writing descriptors that are already open, and pipes within the process.
  read: [0, 63],
  write: [1, 64],
  close: [3, 57],
  lseek: [8, 62],
  pread64: [17, 67],
  readv: [19, 65],
  writev: [20, 66],
  ioctl: [16, 29],
  fcntl: [72, 25],
  dup: [32, 23],
  dup2: [33, undefined],
  dup3: [292, 24],
  pipe2: [293, 59],
  eventfd2: [290, 19],
  shutdown: [48, 210],
  getsockname: [51, 204],
  getpeername: [52, 205],
  getsockopt: [55, 209],
  setsockopt: [54, 208],
  recvmsg: [47, 212],
  sendmsg: [46, 211],
  poll: [7, undefined],
  ppoll: [271, 73],
  epoll_create1: [291, 20],
  epoll_ctl: [233, 21],
  epoll_wait: [232, undefined],
  epoll_pwait: [281, 22],
  // Reading files: the namespace holds Node, its libraries and the renderer only.
  open: [2, undefined],
  openat: [257, 56],
  stat: [4, undefined],
  fstat: [5, 80],
  lstat: [6, undefined],
  newfstatat: [262, 79],
  statx: [332, 291],
  access: [21, undefined],
  faccessat: [269, 48],
  faccessat2: [439, 439],
  readlink: [89, undefined],
  readlinkat: [267, 78],
  getcwd: [79, 17],
  // Memory.
  mmap: [9, 222],
  mprotect: [10, 226],
  munmap: [11, 215],
  mremap: [25, 216],
  madvise: [28, 233],
  brk: [12, 214],
  pkey_alloc: [330, 289],
  pkey_free: [331, 290],
  pkey_mprotect: [329, 288],
  membarrier: [324, 283],
  // Threads of this process, signals to itself, time.
  futex: [202, 98],
  set_robust_list: [273, 99],
  rseq: [334, 293],
  set_tid_address: [218, 96],
  arch_prctl: [158, undefined],
  prctl: [157, 167],
  sched_yield: [24, 124],
  sched_getaffinity: [204, 123],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  getpriority: [140, 141],
  getcpu: [309, 168],
  gettid: [186, 178],
  getpid: [39, 172],
  getppid: [110, 173],
  getuid: [102, 174],
  geteuid: [107, 175],
  getgid: [104, 176],
  getegid: [108, 177],
  // Node ends when it loads `node:os` without it; so a release learns the kernel's version, as no namespace has its own.
  uname: [63, 160],
  getrusage: [98, 165],
  getrandom: [318, 278],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  sigaltstack: [131, 132],
  tgkill: [234, 131],
  restart_syscall: [219, 128],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  nanosleep: [35, 101],
  gettimeofday: [96, 169],
  exit: [60, 93],
  exit_group: [231, 94],
  // bwrap starts Node with it after the filter is in place; there is nothing else to execute.
  execve: [59, 221],
};

const CLONE = [56, 220] as const;
/** 435 on all machines: its arguments are behind a pointer, which a filter cannot read; libc falls back to `clone`. */
const CLONE3 = 435;
const CLONE_THREAD = 0x10000;
/** Calls of the x32 ABI carry this bit, and would pass by their low numbers. */
const X32 = 0x40000000;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER_OR_EQUAL = 0x35;
const JUMP_IF_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const fail = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
/** Offsets in struct seccomp_data. */
const NUMBER = 0;
const AUDIT = 4;
const FIRST_ARGUMENT = 16;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

function instructionsFor({ audit, column }: Machine): readonly Instruction[] {
  const allowed = Object.values(CALLS).flatMap((numbers) => numbers[column] ?? []);
  return [
    [LOAD, 0, 0, AUDIT],
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_GREATER_OR_EQUAL, 0, 1, X32],
    [RETURN, 0, 0, fail(EPERM)],
    [JUMP_IF_EQUAL, 0, 1, CLONE3],
    [RETURN, 0, 0, fail(ENOSYS)],
    // Threads, but no processes.
    [JUMP_IF_EQUAL, 0, 4, CLONE[column]],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [JUMP_IF_BIT, 0, 1, CLONE_THREAD],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, fail(EPERM)],
    ...allowed.flatMap((number): Instruction[] => [
      [JUMP_IF_EQUAL, 0, 1, number],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, fail(EPERM)],
  ];
}

/** The filter as bwrap's `--seccomp` reads it; undefined for a machine without a table. */
export function seccompFilter(architecture: NodeJS.Architecture = process.arch): Buffer | undefined {
  const machine = MACHINES[architecture];
  if (!machine) return undefined;
  const instructions = instructionsFor(machine);
  const filter = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, jumpTrue, jumpFalse, value], at) => {
    filter.writeUInt16LE(code, at * 8);
    filter.writeUInt8(jumpTrue, at * 8 + 2);
    filter.writeUInt8(jumpFalse, at * 8 + 3);
    filter.writeUInt32LE(value >>> 0, at * 8 + 4);
  });
  return filter;
}
