import { expect, test } from 'vitest';
import { formatMetrics, oneValue } from '#engine/lib/metrics.js';

test('a metric is its help, its type and a line per sample', () => {
  const samples = [
    { labels: { route: '/v1/me', status: 200 }, value: 3 },
    { labels: { route: '/v1/me', status: 401 }, value: 1 },
  ];
  const text = formatMetrics([
    { name: 'requests_total', type: 'counter', help: 'Requests by route.', samples },
    oneValue('memory_bytes', 'gauge', 'Memory.', 1.5e6),
  ]);
  expect(text).toBe(`# HELP requests_total Requests by route.
# TYPE requests_total counter
requests_total{route="/v1/me",status="200"} 3
requests_total{route="/v1/me",status="401"} 1
# HELP memory_bytes Memory.
# TYPE memory_bytes gauge
memory_bytes 1500000
`);
});

test('the samples of a histogram have suffixes', () => {
  const samples = [
    { suffix: '_bucket', labels: { le: 0.1 }, value: 1 },
    { suffix: '_bucket', labels: { le: '+Inf' }, value: 2 },
    { suffix: '_sum', value: 0.75 },
    { suffix: '_count', value: 2 },
  ];
  expect(formatMetrics([{ name: 'seconds', type: 'histogram', help: 'Time.', samples }])).toBe(`# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 1
seconds_bucket{le="+Inf"} 2
seconds_sum 0.75
seconds_count 2
`);
});

test('backslashes, quotes and line breaks are escaped', () => {
  const text = 'a\\b"c\nd';
  expect(formatMetrics([oneValue('name', 'gauge', text, 1, { text })])).toBe(
    '# HELP name a\\\\b"c\\nd\n# TYPE name gauge\nname{text="a\\\\b\\"c\\nd"} 1\n',
  );
});

test.each([
  [0, '0'],
  [1e21, '1e+21'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
])('%d is %s', (value, expected) => {
  expect(formatMetrics([oneValue('name', 'gauge', 'Help.', value)]).split('\n')[2]).toBe(`name ${expected}`);
});
