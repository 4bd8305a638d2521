import { type ContentInput, parseContent } from '../definition/content.js';
import type { Builder, Work } from '../definition/context.js';
import { MAX_TEXT_LENGTH, type Text } from '../definition/parts.js';
import { formatValue } from '../lib/messages.js';
import { EARLIEST, type Instant, isTooFar, LATEST, parseTime, TOO_FAR } from '../lib/time.js';
import { hasToken } from '../state/callers.js';
import type { Draft } from '../state/state.js';
import { ReferenceResolver } from './references.js';

/** Helps definitions to make the records of a draft from valid records of fixtures. */
export class RecordBuilder extends ReferenceResolver implements Builder {
  readonly sets: Draft;
  readonly work: Work;
  readonly now: Instant;
  /** Whether the time of a record so far depends on `now`. */
  hasRelativeTimes = false;
  readonly #createId: (name: string) => string;

  /**
   * @param now the time from which relative times count
   * @param createId makes the id of a record without one, from a name that is unique to the record
   */
  constructor(draft: Draft, work: Work, now: Instant, createId: (name: string) => string) {
    super(draft);
    this.sets = draft;
    this.work = work;
    this.now = now;
    this.#createId = createId;
  }

  toInstant(text: string | undefined, byDefault: Instant, path?: string): Instant {
    if (text === undefined) return byDefault;
    const time = parseTime(text);
    if (time && 'offset' in time) this.hasRelativeTimes = true;
    const instant = time && ('instant' in time ? time.instant : this.now + time.offset);
    if (instant !== undefined && instant >= EARLIEST && instant <= LATEST && !(time && isTooFar(time))) return instant;
    if (path !== undefined) this.report(path, `found ${formatValue(text)}; expected ${TOO_FAR}.`);
    return this.now;
  }

  noteTime(time: Instant): void {
    if (time === this.now) this.hasRelativeTimes = true;
  }

  reportTaken(path: string, value: string | number): undefined {
    return this.report(path, `${formatValue(value)} is taken; expected another one.`);
  }

  toText(lines: Text, path: string): string {
    const text = typeof lines === 'string' ? lines : lines.join('\n');
    if (text.length <= MAX_TEXT_LENGTH) return text;
    this.report(path, `${text.length} characters; expected at most ${MAX_TEXT_LENGTH}.`);
    return '';
  }

  toBytes(input: ContentInput, path: string): Uint8Array {
    const parsed = parseContent(input);
    if (typeof parsed !== 'string') return parsed;
    this.report(path, parsed);
    return new Uint8Array();
  }

  toId(id: string | undefined, name: string): string {
    return id === undefined ? this.#createId(name) : id.toLowerCase();
  }

  isToken(text: string): boolean {
    return hasToken(this.sets, text);
  }

  drawSerial(): number {
    return this.sets.nextSerial++;
  }
}
