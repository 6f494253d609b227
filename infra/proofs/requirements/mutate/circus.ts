// The parts of jest-circus's state that a rerun touches.

interface CircusHook {
  readonly type: string;
  seenDone: boolean;
}

export interface CircusTest {
  readonly type: 'test';
  readonly name: string;
  parent: CircusBlock;
  mode?: string | null;
  timeout?: number;
  errors: unknown[];
  duration: number | null;
}

export interface CircusBlock {
  readonly type: 'describeBlock';
  readonly name: string;
  parent?: CircusBlock;
  mode?: string | null;
  children: (CircusBlock | CircusTest)[];
  hooks: CircusHook[];
}

export interface CircusEvent {
  readonly name: string;
  readonly test?: CircusTest;
  readonly describeBlock?: CircusBlock;
}

export interface CircusState {
  readonly rootDescribeBlock: CircusBlock;
}

/** Name of a test with those of its describe blocks, as Jest prints it. */
export function fullName(
  test: CircusTest,
  isRoot = (block: CircusBlock) => block.parent === undefined,
): string {
  const names = [test.name];
  for (let block = test.parent; !isRoot(block) && block.parent; block = block.parent)
    names.unshift(block.name);
  return names.join(' ');
}

function cloneTest(test: CircusTest, parent: CircusBlock, timeout: number): CircusTest {
  const limit = Math.max(test.timeout ?? 0, timeout);
  return {
    ...test,
    parent,
    timeout: limit,
    errors: [],
    ...{
      retryReasons: [],
      invocations: 0,
      numPassingAsserts: 0,
      seenDone: false,
      startedAt: null,
      status: null,
    },
    ...{ unhandledRejectionErrorByPromise: new Map() },
  };
}

/** A copy of a block that runs only the named tests, with the hooks of the block. */
export function cloneBlock(
  block: CircusBlock,
  parent: CircusBlock,
  options: { readonly name?: string; readonly tests: ReadonlySet<string>; readonly timeout: number },
): CircusBlock {
  const copy: CircusBlock = {
    ...block,
    name: options.name ?? block.name,
    parent,
    children: [],
    hooks: block.hooks.map((hook) => ({ ...hook, seenDone: false })),
  };
  for (const child of block.children) {
    if (child.type === 'test') {
      if (options.tests.has(fullName(child))) copy.children.push(cloneTest(child, copy, options.timeout));
      continue;
    }
    const inner = cloneBlock(child, copy, { tests: options.tests, timeout: options.timeout });
    if (inner.children.length > 0) copy.children.push(inner);
  }
  return copy;
}

/** Leaves out all tests of a block that have not run. */
export function skipTests(block: CircusBlock): void {
  for (const child of block.children)
    if (child.type === 'test') child.mode = 'skip';
    else skipTests(child);
}

/** Leaves out a block that has not begun, with its hooks. */
export function skip(block: CircusBlock): void {
  block.mode = 'skip';
  skipTests(block);
}
