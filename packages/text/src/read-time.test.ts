/** Times with and without a zone. */
import { expect, test } from 'vitest'
import { pageMetadata } from './page-metadata.js'
import { readTime } from './read-time.js'

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu']

/** Results of a function while the machine is in each of the zones. */
const inZones = <T>(read: () => T): T[] => {
  const zone = process.env.TZ
  try {
    return ZONES.map((one) => {
      process.env.TZ = one
      return read()
    })
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
}

test.each([
  ['2026-12-31T12:00', '2026-12-31T12:00:00.000Z'],
  [' 2026-12-31 12:00:30.5 ', '2026-12-31T12:00:30.500Z'],
  ['2026-12-31T12:00:00.123456', '2026-12-31T12:00:00.123Z'],
  ['+002026-12-31T12:00', '2026-12-31T12:00:00.000Z'],
  ['2026-12-31T12:00:00+02:00', '2026-12-31T10:00:00.000Z'],
  ['2026-12-31', '2026-12-31T00:00:00.000Z'],
  ['2026-12', '2026-12-01T00:00:00.000Z'],
  ['2026-7-15', '2026-07-15T00:00:00.000Z'],
  ['12-31-2026', '2026-12-31T00:00:00.000Z'],
  ['2026-12-31 6:00', '2026-12-31T06:00:00.000Z'],
  ['2026-12-31  18:00', '2026-12-31T18:00:00.000Z'],
  ['2026/12/31 18:00', '2026-12-31T18:00:00.000Z'],
  ['2026-12-31 18:00 UTC', '2026-12-31T18:00:00.000Z'],
  ['2026-12-31 18:00:30.5 UTC', '2026-12-31T18:00:30.500Z'],
  ['2026-12-31 18:00:00Z', '2026-12-31T18:00:00.000Z'],
  ['2026-12-31 18:00:00 +01:00', '2026-12-31T17:00:00.000Z'],
  ['2026-12-31 18:00:00 GMT+1', '2026-12-31T17:00:00.000Z'],
  ['2026-12-31 18:00:00 EST', '2026-12-31T23:00:00.000Z'],
  ['Thu, 31 Dec 2026 18:00:00', '2026-12-31T18:00:00.000Z'],
  ['Thu, 31 Dec 2026 18:00:00 +0100', '2026-12-31T17:00:00.000Z'],
  ['Thu Dec 31 18:00:00 2026', '2026-12-31T18:00:00.000Z'],
  ['Thu Dec 31 18:00:00 EST 2026', '2026-12-31T23:00:00.000Z'],
  ['Thu Dec 31 18:00:00 +0100 2026', '2026-12-31T17:00:00.000Z'],
  ['18:00 31-Dec-2026', '2026-12-31T18:00:00.000Z'],
  ['Thu Dec 31 2026 18:00:00 GMT+0100 (Central European Standard Time)', '2026-12-31T17:00:00.000Z'],
  ['2026-12-31 18:00 (UTC)', '2026-12-31T18:00:00.000Z'],
  ['2026-12-31 18:00 (+01:00)', '2026-12-31T18:00:00.000Z'],
  ['February 3, 2026', '2026-02-03T00:00:00.000Z'],
  ['Feb 3, 2026 6:00 PM', '2026-02-03T18:00:00.000Z'],
  ['Feb 3, 2026 6:00 PM -0500', '2026-02-03T23:00:00.000Z'],
])('%s is %s in every zone', (given, time) => {
  expect(inZones(() => new Date(readTime(given)).toISOString())).toEqual(ZONES.map(() => time))
})

test('a combination of a day, a clock time and an offset has one value in every zone', () => {
  const days = [
    '2026-12-31',
    '2026/12/31',
    '31 Dec 2026',
    '31-Dec-2026',
    'Dec 31, 2026',
    '12/31/2026',
    'Thursday, December 31, 2026',
  ]
  const clocks = ['18:00', '18:00:00', '18:00:00.5', '6:00 PM', '6:00:00 pm']
  const offsets = ['', 'Z', ' Z', ' UTC', ' GMT', ' EST', ' +0100', '+01:00', ' -05:00', ' GMT-5', ' (CET)']
  const texts = days.flatMap((day) =>
    clocks.flatMap((clock) =>
      offsets.flatMap((offset) => [`${day} ${clock}${offset}`, `${clock}${offset} ${day}`, `${day}T${clock}${offset}`]),
    ),
  )
  const [there, ...others] = inZones(() => texts.map((text) => [text, readTime(text)]))
  for (const one of others) expect(one).toEqual(there)
  expect(there?.filter(([, at]) => !Number.isNaN(at)).length).toBeGreaterThan(texts.length / 2)
})

test.each(['tomorrow', '', '2026-13-01', '2026-12-31 18:00 (', '2026-12-31)', `2026-12-31${' '.repeat(100)}`])(
  '%j is no time',
  (text) => {
    expect(readTime(text)).toBeNaN()
  },
)

test.each([
  ['2026-02-03T04:05:06', '2026-02-03T04:05:06.000Z'],
  ['February 3, 2026', '2026-02-03T00:00:00.000Z'],
  ['2026-02-03T04:05:06+01:00', '2026-02-03T03:05:06.000Z'],
])('a page of %s was published at %s in every zone', (given, time) => {
  const meta = `<meta property="article:published_time" content="${given}">`
  const data = `<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "${given}"}</script>`
  for (const page of [meta, data])
    expect(inZones(() => pageMetadata(page, 'https://news.example/').publishedAt)).toEqual(ZONES.map(() => time))
})
