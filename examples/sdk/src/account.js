import ValTown from '@valtown/sdk';

/** Signs in: returns the user of the token with the names of their organizations. */
export async function signIn() {
  const client = new ValTown();
  const { id, username } = await client.me.profile.retrieve();
  const organizations = [];
  for await (const organization of client.orgs.list({ limit: 20, offset: 0 }))
    organizations.push(organization.username);
  return { id, username, organizations };
}

/** Lists the names of all vals of the user, page by page. */
export async function listMine() {
  const names = [];
  for await (const { name } of new ValTown().me.vals.list({ limit: 2, offset: 0 })) names.push(name);
  return names;
}

/** Lists the public vals as `author/name`, the newest first, page by page. */
export async function listPublic() {
  const names = [];
  for await (const { author, name } of new ValTown().vals.list({ limit: 2, privacy: 'public' })) {
    names.push(`${author.username}/${name}`);
  }
  return names;
}

/**
 * Finds a person by name, with the vals of version 1 that have the name in their code.
 * @param {string} username
 */
export async function lookUp(username) {
  const client = new ValTown();
  const { id } = await client.alias.username.retrieve(username);
  const { bio } = await client.users.retrieve(id);
  const found = await client.search.vals.list({ query: username, limit: 20, offset: 0 });
  return { bio, mentions: found.data.map(({ author, name }) => `${author?.username}/${name}`) };
}
