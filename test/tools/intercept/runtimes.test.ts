import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { findProgram, run, TOKEN, whyWithout, writeProgram } from './programs.js';

const { folder, missing } = inject('clients');

const HEADER = `authorization: Bearer ${TOKEN}`;
const INIT = `{ headers: { authorization: 'Bearer ${TOKEN}' } }`;
const FETCH = `console.log((await (await fetch('https://api.val.town/v1/me', ${INIT})).json()).username)`;
const NODE_HTTPS = `import https from 'node:https';
  https.get('https://api.val.town/v1/me', ${INIT}, (response) => {
    response.on('data', (bytes) => console.log(JSON.parse(bytes).username));
  });`;

const URLLIB = `
import json, urllib.request
request = urllib.request.Request('https://api.val.town/v1/me', headers={'authorization': 'Bearer ${TOKEN}'})
print(json.load(urllib.request.urlopen(request))['username'])
`;
const PYTHON_CLIENT = (module: string) => `
import ${module}
print(${module}.get('https://api.val.town/v1/me', headers={'authorization': 'Bearer ${TOKEN}'}).json()['username'])
`;

const GO = `
package main
import ("fmt"; "io"; "net/http")
func main() {
	request, _ := http.NewRequest("GET", "https://api.val.town/v1/me", nil)
	request.Header.Set("authorization", "Bearer ${TOKEN}")
	response, err := http.DefaultClient.Do(request)
	if err != nil { panic(err) }
	body, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(body[:7]))
}`;

const JAVA = `
import java.net.*;
import java.net.http.*;
public class Program {
  public static void main(String[] args) throws Exception {
    URI uri = URI.create("https://api.val.town/v1/me");
    HttpRequest request = HttpRequest.newBuilder(uri).header("authorization", "Bearer ${TOKEN}").build();
    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestProperty("authorization", "Bearer ${TOKEN}");
    System.out.println(connection.getResponseCode());
  }
}`;

/** Finds a Python with a module: in the PATH, or of the system. */
const findPython = (module: string) =>
  ['python3', '/usr/bin/python3'].find((python) => findProgram(python, '-c', `import ${module}`));

test.for(['https', 'http'])('curl, by %s', async (scheme, { skip }) => {
  const curl = findProgram('curl', '--version');
  if (curl === undefined) return skip(String(whyWithout(curl, 'curl')));
  const args = ['-sS', '-H', HEADER, '-o', '/dev/null', '-w', '%{http_code}', `${scheme}://api.val.town/v1/me`];

  expect(await run([curl, ...args])).toEqual({ stdout: '200', stderr: '', code: 0 });
});

test('wget, with the certificates of the run', async ({ skip }) => {
  const wget = findProgram('wget', '--version');
  if (wget === undefined) return skip(String(whyWithout(wget, 'wget')));
  const command = `${wget} -q -O - --ca-certificate="$SSL_CERT_FILE" --header '${HEADER}' https://api.val.town/v1/me`;

  expect(await run(['sh', '-c', command])).toMatchObject({ stdout: expect.stringContaining('"ada"'), code: 0 });
});

test('http.client of Python ignores the proxy, and is not intercepted', async ({ skip }) => {
  const python = findPython('http.client');
  if (python === undefined) return skip(String(whyWithout(python, 'python3')));
  const source = "import http.client\nhttp.client.HTTPSConnection('one.invalid').request('GET', '/')\n";
  const { stderr, code } = await run([python, writeProgram('program.py', source)], {
    flags: ['--intercept=one.invalid'],
  });

  expect(stderr).toContain('gaierror');
  expect(code).toBe(1);
});

test.for([
  ['urllib', URLLIB],
  ['requests', PYTHON_CLIENT('requests')],
  ['httpx', PYTHON_CLIENT('httpx')],
] as const)('Python with %s', async ([module, source], { skip }) => {
  const python = findPython(module);
  if (python === undefined) return skip(`Python with ${module} is not on this machine`);

  expect(await run([python, writeProgram('program.py', source)])).toEqual({ stdout: 'ada\n', stderr: '', code: 0 });
});

test.for([
  ['deno', 'fetch', FETCH, ['run', '--allow-all']],
  ['deno', 'node:https', NODE_HTTPS, ['run', '--allow-all']],
  ['bun', 'fetch', FETCH, ['run']],
] as const)('%s with %s', async ([name, , source, args], { skip }) => {
  if (missing !== undefined) return skip(missing);
  const { stdout, code } = await run([
    join(folder, 'node_modules/.bin', name),
    ...args,
    writeProgram('program.mjs', source),
  ]);

  expect({ stdout, code }).toEqual({ stdout: 'ada\n', code: 0 });
});

test('node:https of Bun ignores the proxy, and is not intercepted', async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const program = writeProgram('program.mjs', NODE_HTTPS.replaceAll('api.val.town', 'one.invalid'));
  const { stderr, code } = await run([join(folder, 'node_modules/.bin/bun'), 'run', program], {
    flags: ['--intercept=one.invalid'],
  });

  expect(stderr).toContain('ENOTFOUND');
  expect(code).toBe(1);
});

test('Go', async ({ skip }) => {
  const go = findProgram('go', 'version');
  if (go === undefined) return skip(String(whyWithout(go, 'go')));

  expect((await run([go, 'run', writeProgram('main.go', GO)])).stdout).toBe('200 {"id":"\n');
});

test('Java, with both of its clients', async ({ skip }) => {
  const java = findProgram('java', '--version');
  if (java === undefined) return skip(String(whyWithout(java, 'java')));

  const { stdout, stderr } = await run([java, writeProgram('Program.java', JAVA)]);

  expect(stdout).toBe('200\n200\n');
  expect(stderr).toMatch(/^Picked up JAVA_TOOL_OPTIONS: \S+.*\n$/);
});
