/** Saves a val and shows the result in an element. */
export async function save(baseUrl: string, token: string, name: string, code: string, status: HTMLElement) {
  const response = await fetch(`${baseUrl}/v1/vals`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, code }),
  });
  status.textContent = response.ok ? 'Saved' : `Not saved (${response.status})`;
}
