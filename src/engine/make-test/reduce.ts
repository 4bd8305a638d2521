/** Tries in all: each starts an emulator and sends all requests. */
const MAX_TRIES = 300;
/** Records in all from which each try would take long. */
const MAX_RECORDS = 2_000;

type Fixtures = Readonly<Record<string, readonly object[]>>;

/**
 * Removes the records of fixtures, and their fields, that no request depends on.
 * @param isSame whether the requests get the same responses with fewer records
 */
export async function reduceFixtures(
  whole: Fixtures,
  isSame: (fixtures: Fixtures) => Promise<boolean>,
): Promise<Fixtures> {
  let kept: Fixtures = Object.fromEntries(Object.entries(whole).filter(([, records]) => records.length > 0));
  const size = Object.values(kept).reduce((sum, records) => sum + records.length, 0);
  if (size > MAX_RECORDS) return kept;
  let tries = 0;
  const tryWith = async (name: string, records: readonly object[]): Promise<boolean> => {
    if (tries >= MAX_TRIES) return false;
    tries += 1;
    const { [name]: _, ...others } = kept;
    const fewer = records.length === 0 ? others : { ...kept, [name]: records };
    if (!(await isSame(fewer))) return false;
    kept = fewer;
    return true;
  };
  // A collection is listed after those that it refers to.
  const names = Object.keys(kept).reverse();
  for (const name of names) await tryWith(name, []);
  for (const name of names) {
    for (
      let length = Math.ceil((kept[name]?.length ?? 0) / 2);
      length >= 1;
      length = length === 1 ? 0 : Math.ceil(length / 2)
    ) {
      for (let end = kept[name]?.length ?? 0; end > 0; end -= length) {
        const records = kept[name] ?? [];
        if (records.length > 0)
          await tryWith(name, records.toSpliced(Math.max(0, end - length), Math.min(length, end)));
      }
    }
  }
  for (const name of Object.keys(kept)) {
    for (const [index, record] of (kept[name] ?? []).entries()) {
      let rest = record;
      for (const key of Object.keys(record)) {
        const { [key]: _, ...fewer } = Object(rest);
        if (await tryWith(name, (kept[name] ?? []).with(index, fewer))) rest = fewer;
      }
    }
  }
  return kept;
}
