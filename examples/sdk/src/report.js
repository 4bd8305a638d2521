import ValTown from '@valtown/sdk';

/**
 * Adds visits to the database: all of them, or none.
 * @param {readonly { month: string, day: number | null }[]} visits
 */
export async function recordVisits(visits) {
  await new ValTown().sqlite.batch({
    statements: [
      'CREATE TABLE IF NOT EXISTS visits (month TEXT NOT NULL, day INTEGER NOT NULL)',
      ...visits.map(({ month, day }) => ({ sql: 'INSERT INTO visits VALUES (?, ?)', args: [month, day] })),
    ],
    mode: 'write',
  });
}

/**
 * Counts the visits of each day of a month.
 * @param {string} month
 */
export async function countVisits(month) {
  const sql = 'SELECT day, count(*) AS visits FROM visits WHERE month = :month GROUP BY day ORDER BY day';
  const { columns, rows } = await new ValTown().sqlite.execute({ statement: { sql, args: { month } } });
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
}

/**
 * Stores the report of a month with its picture, and sends it. The client reads VAL_TOWN_BASE_URL and VAL_TOWN_API_KEY. The picture is a
 * Uint8Array: of a small Buffer, the SDK would send the memory that it shares with others.
 * @param {{ name: string, title: string, picture: Uint8Array, to: string }} report
 */
export async function publishReport({ name, title, picture, to }) {
  const client = new ValTown();
  const rows = await countVisits(name);
  await store(name, 'rows.json', JSON.stringify(rows));
  await store(name, 'picture.png', picture);
  const { message } = await client.emails.send({
    to,
    subject: title,
    html: `<h1>${title}</h1><img src="cid:picture">`,
    attachments: [
      {
        filename: 'picture.png',
        type: 'image/png',
        disposition: 'inline',
        contentId: 'picture',
        content: Buffer.from(picture).toString('base64'),
      },
    ],
  });
  return message;
}

/**
 * @param {string} name
 * @param {string} file
 * @param {string | Uint8Array} content
 */
async function store(name, file, content) {
  // @ts-expect-error: the SDK sends texts and bytes as they are, but its types name files only.
  await new ValTown().blobs.store(encodeURIComponent(`reports/${name}/${file}`), content);
}

/**
 * Returns the rows of a report.
 * @param {string} name
 */
export async function readRows(name) {
  const response = await new ValTown().blobs.get(encodeURIComponent(`reports/${name}/rows.json`));
  return await response.json();
}

/** Lists the files of all reports. */
export async function listFiles() {
  const blobs = await new ValTown().blobs.list({ prefix: 'reports/' });
  return blobs.map(({ key, size }) => `${key} (${size} bytes)`);
}

/**
 * Deletes a file of a report.
 * @param {string} name
 * @param {string} file
 */
export async function deleteFile(name, file) {
  await new ValTown().blobs.delete(encodeURIComponent(`reports/${name}/${file}`));
}
