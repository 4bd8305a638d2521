import { computed, signal } from '@preact/signals';

type Selection = Readonly<Record<string, ReadonlySet<string>>>;

/** The ids of the records that are checked, of all collections: one export can have records of several. */
export const selection = signal<Selection>({});
export const selectedCount = computed(() => Object.values(selection.value).reduce((sum, { size }) => sum + size, 0));

export const isSelected = (collection: string, id: string): boolean => selection.value[collection]?.has(id) ?? false;

export function select(collection: string, ids: readonly string[], isChecked: boolean): void {
  const selected = new Set(selection.value[collection]);
  for (const id of ids) {
    if (isChecked) selected.add(id);
    else selected.delete(id);
  }
  selection.value = { ...selection.value, [collection]: selected };
}

export function clearSelection(): void {
  selection.value = {};
}

/** The body of an export of the selection. */
export const selectedIds = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(selection.value).flatMap(([collection, ids]) => (ids.size === 0 ? [] : [[collection, [...ids]]])),
  );
