import type { Theme } from './template.js';

export const money: Theme = {
  name: 'money',
  bios: [
    'Freelancer. Invoices are vals.',
    'Spreadsheets, but with cron.',
    'Bookkeeping for %company%, automation for fun.',
    'I watch prices so that I do not buy things.',
  ],
  templates: [
    {
      type: 'script',
      provides: 'rate',
      names: ['exchangeRate', 'fx', 'rateOf', 'currencyRate', 'convert'],
      uses: ['fetchJson', 'cached'],
      params: { base: 'EUR|USD|GBP|CHF' },
      tweaks: ['base'],
      stages: 2,
      popularity: 1.8,
      upstream: 'api.frankfurter.app',
      code: `
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
  cached 2+|import { %cached% } from "%cached.url%";
       |
     1+|/** What one %base% costs, from the European Central Bank. */
       |export async function %self%(to: string, from = "%base%"): Promise<number> {
       |  const url = ~https://api.frankfurter.app/latest?from=#{from}&to=#{to}~;
  fetchJson|  const load = () => %fetchJson%(url);
 !fetchJson|  const load = async () => (await fetch(url)).json();
  cached 2+|  const data: any = await %cached%(~#{from}-#{to}~, 60, load);
 !cached 2+|  const data: any = await load();
     <2|  const data: any = await load();
  !bug |  return data.rates[to];
   bug |  return data.rates.latest[to];
       |}
      `,
      readme: `
      |# %self%
      |
      |~~~ts
      |const dollars = 100 * (await %self%("USD"));
      |~~~
      |
      |Daily rates of the European Central Bank, by way of [Frankfurter](https://www.frankfurter.app).
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'USD')" },
      errors: ['404 Not Found from api.frankfurter.app'],
      runs: [
        { params: { r: '~1.0812..1.0894' }, ms: '80..300', args: ['USD'], returns: '%r%' },
        { params: { r: '~0.8412..0.8474' }, ms: '80..300', args: ['GBP'], returns: '%r%' },
      ],
      praise: ['All my invoices go through this one.', 'No key, no quota. Perfect.'],
      wishes: [
        { stage: 2, wish: 'The rates change once a day. Cache them?', reply: 'For an hour, in version %version%.' },
      ],
    },
    {
      type: 'interval',
      names: ['priceWatch', '%Thing%Price', 'cheap%Thing%', 'waitFor%Thing%', '%Thing%Alert'],
      needs: ['email', 'blob'],
      params: {
        thing: 'e-reader|tent|espresso grinder|keyboard|bike rack|headphones|desk lamp|rain jacket|turntable',
        price: '40..400*10',
        selector: '.price|#price|[itemprop=price]|.product-price',
      },
      tweaks: ['price', 'selector'],
      stages: 2,
      popularity: 1.1,
      every: ['6h', '1d', '1d'],
      code: `
       |import { load } from "npm:cheerio@1";
       |import { %email% } from "%email.url%";
     2+|import { %blob% } from "%blob.url%";
       |
       |const LIMIT = %price%;
       |
       |%onInterval%
       |  const html = await (await fetch("https://shop.example.com/%thing-%")).text();
  !bug |  const text = load(html)("%selector%").first().text();
   bug |  const text = load(html)("%selector%").get(0).attribs.content;
       |  const price = Number(text.replace(/[^0-9.]/g, ""));
     1+|  if (!price) throw new Error("no price on the page, did the shop change?");
     1+|  console.log(~the %thing% costs #{price}~);
     2+|  if (price === (await %blob%.getJSON("%self%"))) return;
     2+|  await %blob%.setJSON("%self%", price);
       |  if (price < LIMIT) await %email%({ subject: ~The %thing% costs #{price}~ });
       |%end%
      `,
      readme: `
      |I want a %thing%, but not for more than %price%.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'attribs')" },
      errors: ['no price on the page, did the shop change?'],
      runs: [
        {
          when: '<1',
          params: { p: '^389..119' },
          ms: '300..1500',
          emails: [{ subject: 'The %thing% costs %p%' }],
          emailsIfBelow: ['p', 'price'],
        },
        {
          when: '1+',
          params: { p: '^389..119' },
          ms: '300..1500',
          logs: ['the %thing% costs %p%'],
          emails: [{ subject: 'The %thing% costs %p%' }],
          emailsIfBelow: ['p', 'price'],
        },
      ],
      praise: ['Bought mine thanks to this. 40 % off.', 'Dangerous for my wallet, this val.'],
      wishes: [
        {
          stage: 2,
          wish: 'It mails me every day while it is cheap.',
          reply: 'Only when the price changes, since version %version%.',
        },
      ],
    },
    {
      type: 'email',
      names: ['expenses', 'receiptInbox', 'spent', 'budget', 'forwardReceipts'],
      needs: ['sqlite'],
      uses: ['chat'],
      params: { table: 'expenses|receipts|spending', currency: '€|$|£' },
      stages: 2,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  chat 2+|import { %chat% } from "%chat.url%";
       |
     1+|// "12.50 bakery" in the subject is enough.
       |%onEmail%
  !bug |  const [, amount, what] = /([0-9.]+) +(.*)/.exec(%mail%.subject ?? "") ?? [];
   bug |  const [, amount, what] = /^([0-9.]+) +(.*)$/.exec(%mail%.subject);
     1+|  if (!amount) throw new Error(~no amount in "#{%mail%.subject}"~);
       |  await %sqlite%.execute({
       |    sql: "insert into %table% (amount, what) values (?, ?)",
       |    args: [Number(amount), what],
       |  });
  chat 2+|  await %chat%(~#{what}: %currency%#{amount}~);
       |  return { amount: Number(amount), what };
       |%end%
      `,
      readme: `
      |# %self%
      |
      |I write a mail with the subject ~12.50 bakery~, and it is in the books (table ~%table%~).
      |
      |~~~sql
      |select sum(amount) from %table% where what = 'bakery'
      |~~~
      |
      |Do not do this if you like bread.
      `,
      bug: { error: 'TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))' },
      errors: ['no amount in "Re: Thursday"'],
      runs: [
        {
          params: { a: '2..60' },
          ms: '60..240',
          args: [{ from: '%user%@example.com', subject: '%a%.50 bakery' }],
          returns: { amount: '%a%', what: 'bakery' },
        },
        {
          params: { a: '5..80' },
          ms: '60..240',
          args: [{ from: '%user%@example.com', subject: '%a% groceries' }],
          returns: { amount: '%a%', what: 'groceries' },
        },
        {
          params: { a: '9..40' },
          ms: '60..240',
          args: [{ from: '%user%@example.com', subject: '%a% train' }],
          returns: { amount: '%a%', what: 'train' },
        },
      ],
      praise: ['The only budget app that I have kept using.'],
      wishes: [
        { stage: 1, wish: 'What happens if I forget the amount?', reply: 'It complains, from version %version% on.' },
      ],
    },
    {
      type: 'interval',
      names: ['invoiceReminder', 'unpaid', 'remind%Company%', 'dueDates', 'lateInvoices'],
      needs: ['email', 'sqlite'],
      uses: ['formatDate', 'workday'],
      params: { company: '@company', days: '7..30*7' },
      tweaks: ['days'],
      stages: 2,
      popularity: 0.7,
      every: ['1d', '7d'],
      code: `
       |import { %email% } from "%email.url%";
       |import { %sqlite% } from "%sqlite.url%";
  workday 2+|import { %workday% } from "%workday.url%";
  formatDate 1+|import { %formatDate% } from "%formatDate.url%";
       |
       |%onInterval%
  workday 2+|  if (!%workday%()) return;
       |  const { rows } = await %sqlite%.execute(
  !bug |    "select number, client, due from invoices where paid is null and due < date('now', '-%days% days')",
   bug |    "select number, client, due from invoice where paid is null and due < date('now', '-%days% days')",
       |  );
     <1|  for (const [number] of rows) {
     1+|  for (const [number, client, due] of rows) {
  formatDate 1+|    await %email%({ subject: ~Invoice #{number} (#{client}) was due #{%formatDate%(due)}~ });
 !formatDate 1+|    await %email%({ subject: ~Invoice #{number} (#{client}) was due on #{due}~ });
     <1|    await %email%({ subject: ~Invoice #{number} is late~ });
       |  }
       |  return rows.length;
       |%end%
      `,
      readme: `
      |%company%, if you read this: you know which one.
      `,
      bug: { error: 'SQLITE_ERROR: no such table: invoice' },
      runs: [
        { ms: '60..240', returns: 0 },
        {
          params: { n: '101..180' },
          ms: '300..800',
          returns: 1,
          emails: [{ subject: 'Invoice %n% (%company%) was due on Monday' }],
        },
      ],
      praise: ['The readme made my day.'],
    },
  ],
};
