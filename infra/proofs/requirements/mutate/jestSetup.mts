import fc from 'fast-check';

// A mutant is killed by the first counterexample; the smallest one takes longer to find.
fc.configureGlobal({ endOnFailure: true });
