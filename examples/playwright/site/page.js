import { Vals } from './vals.js';

const find = (selector) => document.querySelector(selector);
const say = (text) => {
  find('[role=status]').textContent = text;
};

const vals = new Vals({
  baseUrl: 'https://api.val.town',
  token: localStorage.getItem('token'),
  onWait: (seconds) => say(`The service is busy. Trying again in ${seconds} s`),
});

/** Says what came of it, or offers to try again. */
async function attempt(act) {
  find('#again').hidden = true;
  try {
    say(await act());
  } catch (error) {
    say(`That did not work: ${error.message}`);
    find('#again').hidden = false;
    find('#again').onclick = () => attempt(act);
  }
}

async function showLiked(url) {
  const { data, links } = await vals.liked(url);
  for (const { name } of data) find('ul').appendChild(document.createElement('li')).textContent = name;
  find('#more').hidden = !links.next;
  find('#more').onclick = () => attempt(() => showLiked(links.next));
  return '';
}

/** Does something with what was filled in. */
function onSubmit(form, act) {
  find(form).onsubmit = (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    attempt(() => act(fields));
  };
}

onSubmit('#save', async ({ name, code }) => {
  const { version } = await vals.save(name, code);
  return `Saved ${name}, version ${version}`;
});
onSubmit('#open', async ({ id }) => (await vals.find(id))?.code ?? 'There is no such val');
attempt(() => showLiked());
