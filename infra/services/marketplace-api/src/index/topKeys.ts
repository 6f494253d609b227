/** Up to this many keys are kept in a heap; longer prefixes are cheaper to sort whole. */
const HEAP_LIMIT = 4096;

/** Restores a max-heap whose root was replaced. */
function siftDown(heap: Float64Array, size: number): void {
  const value = heap[0]!;
  let hole = 0;
  for (let child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && heap[child + 1]! > heap[child]!) child++;
    if (heap[child]! <= value) break;
    heap[hole] = heap[child]!;
    hole = child;
  }
  heap[hole] = value;
}

/**
 * Keys `first` to `first + size` of the ascending order, without sorting what
 * is not shown: one comparison for each key that cannot be on the page.
 */
export function pageOfKeys(keys: Float64Array, first: number, size: number): Float64Array {
  const wanted = Math.min(first + size, keys.length);
  if (wanted > HEAP_LIMIT || wanted * 4 > keys.length) return keys.toSorted().subarray(first, wanted);
  if (wanted === 0) return new Float64Array(0);
  const heap = keys.slice(0, wanted).sort().reverse();
  for (let i = wanted; i < keys.length; i++) {
    if (keys[i]! >= heap[0]!) continue;
    heap[0] = keys[i]!;
    siftDown(heap, wanted);
  }
  return heap.sort().subarray(first, wanted);
}
