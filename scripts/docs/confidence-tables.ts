import type { ConfidenceRow } from '#vals/control/confidence.js';
import { type Axis, confidence } from './confidence.js';
import { formatTable } from './tables.js';

const { axes, engines, clients, rows } = confidence;

type Kind = ConfidenceRow['kind'];
const ofKind = (kind: Kind) => rows.filter((row) => row.kind === kind);

/** Names the engines of a row. An engine of all rows of a kind is in the table of engines only. */
const namesEngines = ({ kind, engines }: ConfidenceRow): string =>
  engines.filter((engine) => ofKind(kind).some((other) => !other.engines.includes(engine))).join(', ');

const count = ({ length }: readonly string[]): string => (length === 0 ? '' : String(length));
const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

/** Names a row, and says what cannot be tested with it. @param link address of its rules */
function title({ name, limit }: ConfidenceRow, link?: string): string {
  const text = link ? `[\`${name}\`](${link})` : `\`${name}\``;
  return limit ? `${text}: ${limit.charAt(0).toLowerCase()}${limit.slice(1).replace(/\.$/, '')}` : text;
}

/** Returns the address of the rules of a route: the heading as GitHub names it. */
const rulesOf = (route: string): string =>
  `fidelity.md#${route
    .toLowerCase()
    .replaceAll(' ', '-')
    .replace(/[^\w-]/g, '')}`;

/** Counts the rows of each kind that have an axis. */
function summarize(): string {
  const kinds: readonly (readonly [Kind, string])[] = [
    ['route', 'routes'],
    ['collection', 'collections'],
    ['tool', 'tools'],
  ];
  const counted: readonly Axis[] = ['recorded', 'clients', 'specification', 'record', 'chosen'];
  return formatTable(
    ['of', 'rows', 'recorded', 'client', 'specification', 'record', 'chosen', 'engine of its own'],
    kinds.map(([kind, name]) => {
      const found = ofKind(kind);
      const numbers = counted.map((axis) => found.filter((row) => row[axis].length > 0).length);
      return [name, ...[found.length, ...numbers, found.filter((row) => namesEngines(row)).length].map(String)];
    }),
  );
}

const routesTable = (isCalled: boolean): string =>
  formatTable(
    ['route', 'chosen', 'specification', 'record', 'cases', 'engine', ...(isCalled ? ['client'] : [])],
    ofKind('route')
      .filter((row) => row.clients.length > 0 === isCalled)
      .map((row) => [
        title(row, rulesOf(row.name)),
        ...[count(row.chosen), count(row.specification), count(row.record), String(row.cases), namesEngines(row)],
        ...(isCalled ? [row.clients.join(', ')] : []),
      ]),
  );

const collectionsTable = (): string =>
  formatTable(
    ['collection', 'chosen', 'routes in the specification', 'routes in the record', 'engine', 'client'],
    ofKind('collection').map((row) => [
      title(row),
      ...[row.chosen.join(', '), count(row.specification), count(row.record), namesEngines(row)],
      row.clients.join(', '),
    ]),
  );

const toolsTable = (): string =>
  formatTable(
    ['tool', 'a guess', 'in the record', 'engine', 'client'],
    ofKind('tool').map((row) => [
      title(row),
      row.record.length === 0 ? 'all of it' : code(row.chosen),
      code(row.record.slice(1)) || (row.record.length === 0 ? '' : 'its name'),
      namesEngines(row),
      row.clients.join(', '),
    ]),
  );

/** The generated parts of docs/confidence.md. */
export const confidenceTexts = (): Readonly<Record<string, string>> => ({
  'confidence-axes': formatTable(['column', 'what it means'], Object.entries(axes)),
  'confidence-summary': summarize(),
  'confidence-missing': ofKind('missing')
    .map((row) => `- \`${row.name}\`: ${row.limit}`)
    .join('\n'),
  'confidence-uncalled': routesTable(false),
  'confidence-called': routesTable(true),
  'confidence-collections': collectionsTable(),
  'confidence-tools': toolsTable(),
  'confidence-engines': formatTable(['engine', 'what it proves'], Object.entries(engines)),
  'confidence-clients': formatTable(
    ['client', 'package', 'last run', 'what it knows of the service'],
    Object.entries(clients).map(([name, { package: id, lastRun, knows }]) => [name, `\`${id}\``, lastRun, knows]),
  ),
});
