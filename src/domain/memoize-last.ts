/** The same function, but that it keeps what it gave last and gives it again as long as it is asked the same. */
export function memoizeLast<K, T>(make: (key: K) => T): (key: K) => T {
  let last: { readonly key: K; readonly made: T } | undefined;
  return (key) => {
    if (!last || last.key !== key) last = { key, made: make(key) };
    return last.made;
  };
}
