import { type Axis, type ConfidenceRow, confidence } from './confidence.js';
import { formatTable } from './tables.js';

const { axes, engines, clients, rows } = confidence;

type Kind = ConfidenceRow['kind'];
const ofKind = (kind: Kind) => rows.filter((row) => row.kind === kind);

/** Names the engines of a row. An engine of all rows of a kind is in the table of engines only. */
const nameEngines = ({ kind, engine }: ConfidenceRow): string =>
  engine.filter((each) => ofKind(kind).some((other) => !other.engine.includes(each))).join(', ');

const code = (text: string): string => `\`${text}\``;
const count = ({ length }: readonly string[]): string => (length === 0 ? '' : String(length));

/** Names a row, and says what cannot be tested with it. @param link address of its rules */
function title({ name, limit }: ConfidenceRow, link?: string): string {
  const text = link ? `[${code(name)}](${link})` : code(name);
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
  const counted: readonly Axis[] = ['recorded', 'client', 'specification', 'record', 'chosen'];
  return formatTable(
    ['of', 'rows', 'recorded', 'client', 'specification', 'record', 'chosen', 'engine'],
    kinds.map(([kind, name]) => {
      const found = ofKind(kind);
      const numbers = counted.map((axis) => found.filter((row) => row[axis].length > 0).length);
      return [name, ...[found.length, ...numbers, found.filter((row) => nameEngines(row)).length].map(String)];
    }),
  );
}

const routesTable = (hasClient: boolean): string =>
  formatTable(
    ['route', 'chosen', 'specification', 'record', 'cases', 'engine', ...(hasClient ? ['client'] : [])],
    ofKind('route')
      .filter((row) => row.client.length > 0 === hasClient)
      .map((row) => [
        title(row, rulesOf(row.name)),
        ...[count(row.chosen), count(row.specification), count(row.record), String(row.cases), nameEngines(row)],
        ...(hasClient ? [row.client.map(code).join(', ')] : []),
      ]),
  );

/** Whether a client has called a route. */
const isCalled = (route: string): boolean => rows.some(({ name, client }) => name === route && client.length > 0);

const collectionsTable = (): string =>
  formatTable(
    ['collection', 'routes', 'called by a client', 'in the specification', 'engine', 'chosen'],
    ofKind('collection').map((row) => [
      title(row),
      count(row.record),
      count(row.record.filter(isCalled)),
      count(row.specification),
      nameEngines(row),
      row.chosen.join(', '),
    ]),
  );

/** Lists what of a tool has an axis: its name, and arguments. */
const listParts = (parts: readonly string[]): string =>
  parts.map((part) => (part === 'its name' ? part : code(part))).join(', ');

const toolsTable = (): string =>
  formatTable(
    ['tool', 'a guess', 'record', 'engine', 'client'],
    ofKind('tool').map((row) => [
      title(row),
      row.record.length === 0 ? 'all of it' : listParts(row.chosen),
      listParts(row.record),
      nameEngines(row),
      row.client.map(code).join(', '),
    ]),
  );

/** Lists what responds with a 501, by the reason. */
function listMissing(): string {
  const missing = ofKind('missing');
  const named = (reason: string | null) => missing.flatMap(({ name, limit }) => (limit === reason ? [code(name)] : []));
  const reasons = new Set(missing.map(({ limit }) => limit));
  return Array.from(reasons, (reason) => `- ${named(reason).join(', ')}: ${reason}`).join('\n');
}

/** The generated parts of docs/confidence.md. */
export const confidenceTexts = (): Readonly<Record<string, string>> => ({
  'confidence-axes': formatTable(['column', 'what it means'], Object.entries(axes)),
  'confidence-summary': summarize(),
  'confidence-missing': listMissing(),
  'confidence-uncalled': routesTable(false),
  'confidence-called': routesTable(true),
  'confidence-collections': collectionsTable(),
  'confidence-tools': toolsTable(),
  'confidence-engines': formatTable(['engine', 'what it proves'], Object.entries(engines)),
  'confidence-clients': formatTable(
    ['client', 'package', 'last run', 'what it knows of the service'],
    Object.entries(clients).map(([name, { package: id, lastRun, knows }]) => [code(name), code(id), lastRun, knows]),
  ),
});
