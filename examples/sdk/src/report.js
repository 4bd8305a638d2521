import ValTown from '@valtown/sdk';

/** Adds visits to the database: all of them, or none. */
export async function recordVisits(visits) {
  await new ValTown().sqlite.batch({
    statements: [
      'CREATE TABLE IF NOT EXISTS visits (month TEXT NOT NULL, day INTEGER NOT NULL)',
      ...visits.map(({ month, day }) => ({ sql: 'INSERT INTO visits VALUES (?, ?)', args: [month, day] })),
    ],
    mode: 'write',
  });
}

/** Counts the visits of each day of a month. */
export async function countVisits(month) {
  const sql = 'SELECT day, count(*) AS visits FROM visits WHERE month = :month GROUP BY day ORDER BY day';
  const { columns, rows } = await new ValTown().sqlite.execute({ statement: { sql, args: { month } } });
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
}

/**
 * Stores the report of a month with its picture, and sends it. The client reads VAL_TOWN_BASE_URL and VAL_TOWN_API_KEY. The picture is a
 * Uint8Array: of a small Buffer, the SDK would send the memory that it shares with others.
 */
export async function publishReport({ name, title, picture, to }) {
  const client = new ValTown();
  const rows = await countVisits(name);
  const key = (file) => encodeURIComponent(`reports/${name}/${file}`);
  await client.blobs.store(key('rows.json'), JSON.stringify(rows));
  await client.blobs.store(key('picture.png'), picture);
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

/** Returns the rows of a report. */
export async function readRows(name) {
  const response = await new ValTown().blobs.get(encodeURIComponent(`reports/${name}/rows.json`));
  return await response.json();
}

/** Lists the files of all reports. */
export async function listFiles() {
  const blobs = await new ValTown().blobs.list({ prefix: 'reports/' });
  return blobs.map(({ key, size }) => `${key} (${size} bytes)`);
}

/** Deletes a file of a report. */
export async function deleteFile(name, file) {
  await new ValTown().blobs.delete(encodeURIComponent(`reports/${name}/${file}`));
}
