// Defects that a simulation has to find: each replaces a text of one file.

const cluster = (file) => `/src/cluster/${file}.ts`;
const folder = (file) => `/src/engine/persistence/${file}.ts`;
const STORE = '/src/engine/store/store.ts';
const SCRIPTS = '/test/simulation/memory-redis.ts';

/** @type {readonly (readonly [name: string, file: string, from: string, to: string])[]} */
export const DEFECTS = [
  ['a write that the log has runs again', cluster('commits'), 'waiting.delete(group)', 'waiting.has(group)'],
  ['a lost reply is not looked up', cluster('commits'), 'entry.node === node && entry.exchange === exchange', 'false'],
  [
    'entries of other nodes are skipped',
    cluster('commits'),
    'for (const entry of result.entries) replica.apply(entry);\n    return',
    'return',
  ],
  ['nothing is checked', cluster('commits'), 'name, !isAny(name)', 'name, false'],
  ['refused groups count as done', cluster('commits'), 'this.conflicts++;\n        return true;', 'this.conflicts++;'],
  ['refused requests are forgotten', cluster('turns'), 'this.#queue.unshift(...again)', 'void again'],
  ['a control request sees an old copy', cluster('turns'), 'isFresh: false,', 'isFresh: true,'],
  [
    'a control request is not checked',
    cluster('turns'),
    'isChecked: group.capture.lines.length > 0',
    'isChecked: false',
  ],
  ['what was undone stays', cluster('turns'), 'this.#options.replica.undo(group.capture);', ''],
  [
    'a reset hides what came before it',
    cluster('capture'),
    "if (!this.used.has('')) this.isReset = other.isReset;",
    'this.isReset ||= other.isReset;',
  ],
  ['a change before a reset is not checked', cluster('capture'), "name === '' && isFirst", "name === ''"],
  ['units of one sandbox are apart', cluster('capture'), 'if (this.used.has(name)) return true;', ''],
  ['requests are joined in the wrong order', cluster('runner'), '[...others, added]) {', '[added, ...others]) {'],
  [
    'an entry is not shown',
    cluster('replica'),
    'for (const name of changed) {\n      this.restore(name);',
    'for (const name of changed) {',
  ],
  [
    'a used seed is dropped',
    cluster('replica'),
    'seed !== undefined && !this.replay.isSeedUsed(seed)',
    'seed !== undefined',
  ],
  [
    'an old journal survives a checkpoint',
    cluster('replica'),
    'for (const { journal } of created.values()) journal.restart(0);',
    '',
  ],
  ['requests keep the numbers of their node', cluster('replica'), 'number: journal.count + 1, commit', 'commit'],
  ['commits keep the ids of their node', cluster('replica'), 'return journal ? {', 'return false ? {'],
  ['the numbers of changes are not learnt', STORE, 'numbers: takeNumber(numbers, info.id)', 'numbers'],
  ['a closed name is forgotten', cluster('replica'), 'this.#closed.add(name, reason)', 'undefined'],
  ['a reset keeps the journal', cluster('replica'), 'journal.restart(line.isReset ? 0 : journal.count);', ''],
  [
    'a checkpoint is described while entries come',
    cluster('replica'),
    'return { last: this.last, count',
    'const replica = this; return { get last() { return replica.last; }, count',
  ],
  [
    'a checkpoint counts one entry too few',
    cluster('replica'),
    'count: this.count, lines: describe',
    'count: this.count - 1, lines: describe',
  ],
  ['no memory is a defect of the store', cluster('redis-connection'), '|OOM|', '|'],
  ['a broken connection is kept', cluster('redis-connection'), "client.on('error', () => this.#drop(client));", ''],
  ['a script is not sent again', cluster('redis-connection'), "startsWith('NOSCRIPT')", "startsWith('NONE')"],
  ['time runs back', cluster('clock'), 'Math.max(this.#latest, Math.floor(estimate))', 'Math.floor(estimate)'],
  ['an old exchange is done late', SCRIPTS, ">= Number(number)) return ['late'];", "> 1e9) return ['late'];"],
  ['the script checks no versions', SCRIPTS, '!isLater(version, last)', 'true'],
  ['the script checks no times', SCRIPTS, '<= Number(time);', '<= Infinity;'],
  ['a checkpoint drops later versions', SCRIPTS, '&& !isLater(version, id)', ''],
  ['a checkpoint drops later entries', SCRIPTS, 'log.filter((entry) => isLater(id, entry[0])).length', 'log.length'],
  ['a checkpoint of entries that are not there is taken', SCRIPTS, '!isThere || !isLater', '!isLater'],
  ['a checkpoint replaces itself', SCRIPTS, "|| !isLater(id, meta.get('checkpoint') ?? '')", ''],
  ['a sync is skipped', folder('log'), "this.#options.sync === 'full'", 'this.#options.sync === undefined'],
  [
    'an old process writes on',
    folder('log'),
    'this.#lock.assertHeld();\n    this.#file.assertIntact();',
    'this.#file.assertIntact();',
  ],
  ['no one looks whether the file is intact', folder('log'), 'this.#file.assertIntact();', ''],
  [
    'what came while it was compacted is lost',
    folder('log'),
    'if (rewrite === this.#rewrite) rewrite?.copied.push(...texts);',
    'void [rewrite, texts];',
  ],
  ['the lines of one change are apart', folder('log'), '{ ...line, more: true }', 'line'],
  ['a failed write is not cut off', folder('log'), 'this.#file.cut(this.#kept, this.#lock);', ''],
  ['a short write is not continued', folder('write-files'), 'while (written < bytes.length)', 'while (false)'],
  [
    'a new file is not synced',
    folder('write-files'),
    'await file.append(toJson(lines), 0);\n      await file.handle.sync();',
    'await file.append(toJson(lines), 0);',
  ],
  ['a new name is not synced', folder('write-files'), 'await syncFolder(lock.folder, this.#disk);', ''],
  ['an old process replaces the file', folder('write-files'), 'lock.assertHeld();', ''],
  ['the name of an epoch is not synced', folder('open-file'), 'await syncFolder(lock.folder, lock.disk);', ''],
  ['the begin of an epoch is not synced', folder('open-file'), 'await file.handle.sync();', ''],
  ['an epoch has no begin', folder('open-file'), 'await file.append([JSON.stringify(makeHeader())], before);', ''],
  ['the folder itself is not synced', folder('data-folder'), 'await syncParents(path, disk);', ''],
  [
    'a response comes before its sync',
    folder('data-folder'),
    'return this.#write([...this.#describeSeed(seed), ...describeChange',
    'return void this.#write([...this.#describeSeed(seed), ...describeChange',
  ],
  [
    'a request is kept in the journal of another sandbox',
    folder('data-folder'),
    'this.#journal?.append(exchange.sandbox,',
    "this.#journal?.append('',",
  ],
  [
    'the requests of a lost sandbox come back',
    folder('data-folder'),
    'this.#journal?.clear(name, true);\n        const seed',
    'const seed',
  ],
  ['a clock runs back at a start', folder('data-folder'), 'Math.max(0, lastUse - options.systemTime())', '0'],
  ['a lock outlives its process', folder('lock'), '&& readStart(holder.pid, disk) === holder.started', ''],
  ['a process that was silent keeps its lock', folder('lock'), 'found !== this.#text &&', 'false &&'],
  ['a draft of an old process stays', folder('lock'), 'removeUnfinished(folder, disk);', ''],
];

/** Why the simulation does not find some of them. */
export const REASONS = {
  'time runs back': 'Each exchange brings the latest time that any request has seen.',
  'the script checks no times':
    'The check of versions refuses each change that is too early. Times of reads are not compared.',
  'a reset hides what came before it': 'A reset is a control request, which runs alone.',
  'a change before a reset is not checked': 'No request changes the default sandbox before it resets it.',
  'units of one sandbox are apart':
    'The store refuses the second unit, and its requests run again: this costs time alone.',
  'requests are joined in the wrong order': 'Requests that use two sandboxes run alone.',
  'a used seed is dropped': 'All sandboxes have the same seed data.',
  'an old process writes on': 'After a stop the sign of life comes first, and finds that the lock is lost.',
  'an old process replaces the file': 'The process that took the folder has removed the draft of the file.',
  'a draft of an old process stays': 'An old process finds that its lock is lost before it renames the draft.',
  'no one looks whether the file is intact': 'No other program changes the folder.',
  'the lines of one change are apart': 'Each change of the simulated folder has one line.',
};

/** Plants a defect. @throws Error for a text that is not there once */
export const plant = ([name, file, from, to]) => ({
  name: 'defect',
  transform: {
    filter: { id: new RegExp(`${file.replaceAll('.', '\\.')}$`) },
    handler(code) {
      if (code.split(from).length !== 2) throw new Error(`${name}: ${file} has not once ${from}`);
      return { code: code.replace(from, () => to), map: null };
    },
  },
});
