import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ROOT } from './pack.js';
import { ofSchemas } from './schemas.js';

/** Lists what the package brings at run time, as a release does. */
const listPackages = (format: 'cyclonedx' | 'spdx'): unknown =>
  JSON.parse(execFileSync('node', ['scripts/sbom.js', format], { cwd: ROOT, encoding: 'utf8' }));

const FOLDER = join(dirname(ofSchemas.resolve('@cyclonedx/cyclonedx-library/package.json')), 'res/schema');
const readSchema = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.SNAPSHOT.schema.json`), 'utf8'));

test('the list of packages is valid CycloneDX', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  // The schema names the others by their files.
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema({ ...readSchema(name), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` });
  }
  // Formats of internationalized names, which Ajv does not know.
  for (const name of ['idn-email', 'iri-reference']) ajv.addFormat(name, true);
  const validate = ajv.compile(readSchema('bom-1.5'));
  const document = listPackages('cyclonedx');
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  const { components } = z
    .object({ components: z.array(z.object({ name: z.string(), purl: z.string() })) })
    .parse(document);
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'qs']));
  expect(components.map(({ name }) => name)).not.toContain('vitest');
});

/** What SPDX 2.3 requires of a document, of a package and of a relation. */
const Spdx = z.object({
  spdxVersion: z.literal('SPDX-2.3'),
  dataLicense: z.literal('CC0-1.0'),
  SPDXID: z.literal('SPDXRef-DOCUMENT'),
  name: z.string().min(1),
  documentNamespace: z.url(),
  creationInfo: z.object({
    created: z.iso.datetime(),
    creators: z.array(z.string().regex(/^(?:Tool|Person|Organization): /)),
  }),
  packages: z
    .array(
      z.object({
        name: z.string().min(1),
        SPDXID: z.string().regex(/^SPDXRef-[\w.-]+$/),
        versionInfo: z.string(),
        downloadLocation: z.string().min(1),
      }),
    )
    .min(10),
  relationships: z.array(
    z.object({
      spdxElementId: z.string(),
      relatedSpdxElement: z.string(),
      relationshipType: z.string().regex(/^[A-Z_]+$/),
    }),
  ),
});

test('the list of packages has all that SPDX requires, and its relations name its packages', () => {
  const { packages, relationships } = Spdx.parse(listPackages('spdx'));
  const ids = ['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)];
  expect(new Set(ids).size).toBe(ids.length);
  for (const { spdxElementId, relatedSpdxElement } of relationships) {
    expect(ids).toEqual(expect.arrayContaining([spdxElementId, relatedSpdxElement]));
  }
});
