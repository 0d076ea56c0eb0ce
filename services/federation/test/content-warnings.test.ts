/** Content warnings, poll options and titles that servers send as text or as HTML. */
import { statusRecords } from '@murmuration/contracts/statuses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

const received = async (extra: Record<string, unknown>) => {
  const note = fixture.note(fixture.rita, extra)
  expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe('done')
  return fixture.shown(note.id)
}

test.each<string[]>([
  ['text', 'a < b & c <3', 'a < b & c <3'],
  ['text with a lone tag', 'about <img> elements', 'about <img> elements'],
  ['HTML with entities', 'a &lt; b &amp; c &#39;d&#39;', "a < b & c 'd'"],
  ['HTML with markup', '<p>a &lt;b&gt; <em>c</em></p>', 'a <b> c'],
  ['HTML without text', '<b></b>', '<b></b>'],
  ...[
    '1<2>0',
    'I <3 you',
    'a<b>c',
    'x<y && y>z',
    'the <b> tag',
    '<https://one.example>',
    'List<String>',
    'R&D; &foo;',
  ].map((text) => ['text', text, text]),
  ['HTML that begins a paragraph', '<p>Spoilers', 'Spoilers'],
  ['HTML that begins paragraphs', 'one<P>two', 'one two'],
  ['HTML with an image', '<img class="emoji" alt=":cat:" src="https://one.example/1.png"> food', ':cat: food'],
  ['HTML with an image without a description', '<img src="https://one.example/1.png">', ''],
  ['HTML with a rule', 'one<hr>two', 'one two'],
  ['HTML with line ends', 'one<br>two<br/>three', 'one two three'],
  ['an empty paragraph', '<p><br></p>', ''],
  ['an entity', '&lt;', '<'],
  ['a space as an entity', '&nbsp;', ''],
  ['entities with long names', '&rightarrow; &apos;x&apos;', "→ 'x'"],
  ['HTML with a comment', '<!-- not shown -->food', 'food'],
  ['HTML with an emoji inside a tag', '<span class="e">:cat:</span>', ':cat:'],
  ['HTML with an attribute', '<a href="https://one.example">link', 'link'],
  ['HTML with an open element', '<em>Spoilers', 'Spoilers'],
  ['HTML of a list', '<ul><li>one<li>two</ul>', 'one two'],
])('a content warning as %s is shown as plain text', async (_form, summary, shown) => {
  expect(await received({ summary })).toMatchObject({ spoiler_text: shown, sensitive: true })
})

test('emojis of a content warning are shown, wherever its HTML has them', async () => {
  const icon = { type: 'Image', mediaType: 'image/png', url: 'https://one.example/cat.png' }
  const tag = [{ type: 'Emoji', name: ':cat:', icon }]
  for (const summary of ['<p>:cat:</p>', '<img alt=":cat:" src="https://one.example/cat.png">', ':<i>cat</i>:'])
    expect(await received({ summary, tag })).toMatchObject({ spoiler_text: ':cat:', emojis: [{ shortcode: 'cat' }] })
})

test('a summary of an article with entities is shown once decoded', async () => {
  const status = await received({ type: 'Article', name: '<p></p>', summary: 'a &lt; b' })
  expect(status?.content).toMatch(/^(<p>)?a &lt; b/)
})

test('a poll option with entities is shown as plain text', async () => {
  const options = ['a &lt; b', 'a < b < c'].map((name) => ({ type: 'Note', name, replies: { totalItems: 0 } }))
  const status = await received({ type: 'Question', oneOf: options })
  expect(status?.poll?.options.map((it) => it.title)).toEqual(['a < b', 'a < b < c'])
})

test('a title with entities is shown as plain text', async () => {
  const status = await received({ type: 'Article', name: 'a &lt; b &amp; c' })
  expect(status?.content).toContain('a &lt; b &amp; c')
  expect(status?.content).not.toContain('&amp;lt;')
})

test.each([
  ['a < b & c <3', 'a < b & c <3'],
  ['the <b> tag', 'the <\u2060b> tag'],
  ['&lt; is an entity', '&\u2060lt; is an entity'],
  ['a &rightarrow; b', 'a &\u2060rightarrow; b'],
  ['this&not that, &times 3', 'this&\u2060not that, &\u2060times 3'],
  ['R&D, AT&T', 'R&D, AT&T'],
])(
  'the local content warning %j looks the same as text and as HTML, and a poll option is sent unchanged',
  async (typed, sent) => {
    const poll = { options: [typed, 'other'], expires_in: 3_600 }
    const written = await fixture.write({ status: 'words', spoiler_text: typed, visibility: 'public', poll })
    const uri = (await fixture.harness.call(statusRecords, { ids: [written.id] })).records[0]?.uri ?? ''
    const document = await fetch(uri, { headers: { accept: 'application/activity+json' } }).then((it) => it.json())
    expect(document).toMatchObject({ summary: sent, oneOf: [{ name: typed }, { name: 'other' }] })
    // A vote names the option with or without the word joiner.
    const { rita, vera } = fixture
    for (const [voter, name] of [
      [rita, sent],
      [vera, typed],
    ] as const) {
      const vote = { id: `${voter.id}#votes/${written.id}`, type: 'Note', attributedTo: voter.id, name, inReplyTo: uri }
      const to = [fixture.bob.uri]
      expect(await fixture.sendActivity(voter, 'Create', { ...vote, to }, { to })).toBe('done')
    }
    expect((await fixture.shown(uri))?.poll?.options.map((it) => it.votes_count)).toEqual([2, 0])
  },
)
