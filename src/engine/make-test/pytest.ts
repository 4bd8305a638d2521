import { toKebabCase } from '../lib/text.js';
import { Expression, type Notation, toLiteral } from './literal.js';
import {
  type Body,
  bodyName,
  mapPattern,
  type Pattern,
  type Place,
  type Script,
  type Step,
  Template,
  Varying,
  varies,
} from './step.js';

/** Quotes a string for Python, which has the escapes of JSON. JSON also escapes lone surrogates. */
const quote = (text: string): string => JSON.stringify(text);

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
const INDENT = '    ';
/** Longest call in one line. */
const MAX_LINE = 100;
const PYTHON: Notation = {
  scalar: (value) => (typeof value === 'string' ? quote(value) : (WORDS[String(value)] ?? JSON.stringify(value))),
  key: quote,
  padding: '',
  indent: INDENT,
};

const TYPES = { string: 'str', number: '(int, float)', list: 'list', any: 'object' } as const;

const toPath = ({ body, keys }: Place): string =>
  body + keys.map((key) => `[${typeof key === 'number' ? key : quote(key)}]`).join('');

// prose-allow: code of Python
const SEND = `
def send(url, method, path, headers={}, body=None):
    """Sends a request, and returns the status and the body of its response."""
    target = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(target.netloc)
    try:
        connection.request(method, target.path + path, body, headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
`;

// prose-allow: code of Python
const CONTROL = `
def control(method, url, path, body=None):
    """Calls the control API of the emulator."""
    text = None if body is None else json.dumps(body).encode()
    status, found = send(url, method, "/_emulator" + path, {"content-type": "application/json"}, text)
    assert status < 300, found.decode()
    return json.loads(found) if found else None
`;

// prose-allow: code of Python
const FIXTURE = `
@pytest.fixture
def emulator():
    """The URL of a new sandbox."""
    sandbox = control("POST", EMULATOR, "/sandboxes", {"title": "test", "fixtures": FIXTURES})
    control("PUT", sandbox["url"], "/clock", {"freeze": NOW})
    yield sandbox["url"]
    control("DELETE", EMULATOR, "/sandboxes/" + sandbox["name"])
`;

/** A class of the written test: a value of a type, as `expect.any` of Jest. prose-allow: code of Python */
const ANY = `
class Any:
    """Equals each value of a type, for what differs each time."""

    def __init__(self, kind):
        self.kind = kind

    def __eq__(self, other):
        return isinstance(other, self.kind)

    def __repr__(self):
        return f"Any({self.kind})"
`;

/** Writes a test of pytest, which needs the standard library alone. */
export function writePytest({ title, now, options, fixtures, fixtureFile, steps }: Script): string {
  const isFile = fixtureFile !== undefined;
  const flags = Object.entries(options).map(([name, value]) => ` --${toKebabCase(name)}=${String(value)}`);
  const imports = [
    ...(steps.some(({ body }) => body !== undefined && 'base64' in body) ? ['base64'] : []),
    ...['http.client', 'json', 'os'],
    ...(isFile ? ['pathlib'] : []),
    'urllib.parse',
  ];
  const file = isFile ? `json.loads((pathlib.Path(__file__).parent / ${quote(fixtureFile)}).read_text("utf-8"))` : '';
  const lines = [
    `"""Run it with an emulator: npx val-emulator exec${flags.join('')} -- pytest"""`,
    '',
    ...imports.map((name) => `import ${name}`),
    '',
    'import pytest',
    '',
    'EMULATOR = os.environ.get("VAL_EMULATOR_URL", "http://127.0.0.1:4010")',
    `NOW = ${quote(now)}`,
    `FIXTURES = ${isFile ? file : toLiteral(fixtures, '', PYTHON)}`,
    '',
    ...[SEND, CONTROL, FIXTURE],
    ...(steps.some(({ expected }) => varies(expected)) ? [ANY] : []),
    '',
    'def test_requests(emulator):',
    `    """${quote(title).slice(1, -1)}"""`,
    steps.map((step) => writeStep(step)).join('\n\n'),
  ];
  return `${lines.join('\n')}\n`;
}

function writeStep({ id, fault, status, isStream, expected, newIds, ...step }: Step): string {
  const call = writeCall(step);
  const name = bodyName(id);
  return [
    `# ${id}: ${step.title}`,
    ...(step.comment === undefined ? [] : [`# ${step.comment}`]),
    ...(fault ? [`control("POST", emulator, "/faults", ${write({ route: fault.route, ...fault.effect }, '')})`] : []),
    ...(status === 0
      ? ['with pytest.raises(OSError):', `    ${call.replaceAll('\n', '\n    ')}`]
      : [`status, text = ${call}`, `assert status == ${status}`]),
    ...(expected === undefined
      ? []
      : [
          `${name} = json.loads(${isStream ? 'text[text.index(b"{"):]' : 'text'})`,
          `assert ${name} == ${write(expected, INDENT)}`,
        ]),
    ...newIds.map((newId) => `${newId.name} = ${toPath(newId)}`),
  ]
    .map((line) => INDENT + line)
    .join('\n');
}

function writeCall({ method, path, headers, body }: Pick<Step, 'method' | 'path' | 'headers' | 'body'>): string {
  const args = (indent: string) => {
    const sent = writeBody(body, indent);
    return [
      ...['emulator', quote(method), write(path, indent)],
      ...(Object.keys(headers).length === 0 && sent === undefined ? [] : [write(headers, indent)]),
      ...(sent === undefined ? [] : [sent]),
    ];
  };
  const line = `send(${args(INDENT).join(', ')})`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  const next = INDENT + INDENT;
  return `send(\n${args(next)
    .map((arg) => `${next}${arg},\n`)
    .join('')}${INDENT})`;
}

function writeBody(body: Body, indent: string): string | undefined {
  if (body === undefined) return undefined;
  if ('base64' in body) return `base64.b64decode(${quote(body.base64)})`;
  return 'json' in body ? `json.dumps(${write(body.json, indent)}).encode()` : `${write(body.text, indent)}.encode()`;
}

const write = (pattern: Pattern, indent: string): string =>
  toLiteral(
    mapPattern(pattern, (part) => {
      if (part instanceof Varying) return new Expression(`Any(${TYPES[part.type]})`);
      return part instanceof Template ? new Expression(writeTemplate(part)) : part;
    }),
    indent,
    PYTHON,
  );

function writeTemplate({ parts }: Template): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return first.name;
  // Python before 3.12 has no backslash in the braces of an f-string, and a name needs none.
  const texts = parts.map((part) =>
    typeof part === 'string' ? quote(part).slice(1, -1).replace(/[{}]/g, '$&$&') : `{${part.name}}`,
  );
  return `f"${texts.join('')}"`;
}
