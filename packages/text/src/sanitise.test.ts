// Cases for the sanitiser: exact HTML in a golden file, and properties of any input.
import { readFileSync } from 'node:fs'
import { parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { describe, expect, test } from 'vitest'
import { shortcodesIn } from './extract.js'
import { htmlToPlainText } from './plain.js'
import { sanitiseRemoteHtml } from './sanitise.js'

type Golden = { name: string; html: string; clean: string }

const golden: Golden[] = JSON.parse(readFileSync(new URL('sanitise.golden.json', import.meta.url), 'utf8'))

test.each(golden)('D066 $name', ({ html, clean }) => expect(sanitiseRemoteHtml(html)).toBe(clean))

const ELEMENTS = 'p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp'.split(' ')
const ATTRIBUTES: Record<string, string[]> = {
  a: ['href', 'target', 'rel', 'translate', 'class', 'lang'],
  span: ['class', 'translate', 'lang'],
  p: ['class', 'lang'],
  ol: ['start', 'reversed', 'lang'],
  li: ['value', 'lang'],
}

/** Elements and attributes of sanitised HTML that are not on the allow-list, found by a complete HTML parser. */
function foreignTo(node: Tree.ChildNode | Tree.DocumentFragment): string[] {
  if (node.nodeName === '#text') return []
  const below = 'childNodes' in node ? node.childNodes.flatMap(foreignTo) : []
  if (node.nodeName === '#document-fragment') return below
  if (!('tagName' in node) || !ELEMENTS.includes(node.tagName)) return [node.nodeName, ...below]
  const allowed = ATTRIBUTES[node.tagName] ?? ['lang']
  const wrong = node.attrs.filter(
    ({ name, value }) => !allowed.includes(name) || (name === 'href' && !/^(https?|magnet):/.test(value)),
  )
  return [...wrong.map(({ name, value }) => `${node.tagName} ${name}=${value}`), ...below]
}

test.each([
  'https:/oauth/authorize?x',
  'https:oauth',
  'HTTP:/x',
  'https:\\\\b.example',
  'ht\ntps:/x',
  'https:\t/x',
  '//b.example',
])('hostile 81 objects 10 an address that means something else on our own pages is no link: %j', (href) => {
  expect(sanitiseRemoteHtml(`<p><a href="${href}">text</a></p>`)).toBe('<p>text</p>')
})

const PIECES = [
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<i class="h-x y">',
  '</i>',
  '<a href="https://a.example/?x=1&amp;y">',
  '<a href="javascript:1">',
  '<a>',
  '</a>',
  '<ul>',
  '</ul>',
  '<ol start=2>',
  '</ol>',
  '<li>',
  '</li>',
  '<blockquote>',
  '</blockquote>',
  '<pre>x',
  '</pre>',
  '<h2>',
  '</h2>',
  '<h3>',
  '</h3>',
  '<br>',
  '</br>',
  '<ruby>',
  '</ruby>',
  '<rt>',
  '</rt>',
  '<rp>',
  '<span class=invisible translate=no>',
  '</span>',
  '<div>',
  '</div>',
  '<table>',
  '<td>',
  '<math>',
  '<annotation encoding="application/x-tex">',
  '</annotation>',
  '</math>',
  '<svg>',
  '</svg>',
  '<style>',
  '</style>',
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<textarea>',
  '</textarea>',
  '<title>',
  '</title>',
  '<noscript>',
  '</noscript>',
  '<img src=x onerror=1>',
  '<form>',
  '<select>',
  '<option>',
  '<template>',
  '</template>',
  '<frameset>',
  '<body onload=1>',
  '<p class="\'>',
  '"',
  "'",
  '>',
  '<',
  '&',
  '&lt;',
  '&#x3c;',
  ' x ',
  'y',
  '日',
  '\0',
]

/** Pseudo-random documents, the same ones in every run. */
function* documents(count: number): Generator<string> {
  let seed = 42
  const next = (max: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * max)
  }
  for (let round = 0; round < count; round++) {
    yield Array.from({ length: 1 + next(25) }, () => PIECES[next(PIECES.length)]).join('')
  }
}

describe('any document', () => {
  test('A149 A208 D066 sanitised HTML has only allowed elements and attributes, for a complete parser', () => {
    for (const html of documents(3000)) expect(foreignTo(parseFragment(sanitiseRemoteHtml(html))), html).toEqual([])
  })

  test('D066 sanitising twice gives the same result', () => {
    for (const html of documents(3000)) {
      const clean = sanitiseRemoteHtml(html)
      expect(sanitiseRemoteHtml(clean), html).toBe(clean)
    }
  })

  test('D066 sanitised HTML is well nested: a complete parser reads the intended tree', () => {
    for (const html of documents(3000)) {
      const clean = sanitiseRemoteHtml(html).replaceAll('<br />', '<br>')
      expect(serialize(parseFragment(clean)), html).toBe(clean)
    }
  })

  test('sanitised HTML is cut to the requested length, with its elements closed', () => {
    for (const html of documents(300)) {
      for (const maxLength of [0, 5, 40, 90]) {
        const clean = sanitiseRemoteHtml(`<p>日本語 &amp; text</p>${html}`, { maxLength })
        expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(maxLength)
        expect(serialize(parseFragment(clean))).toBe(clean.replaceAll('<br />', '<br>'))
      }
    }
  })
})

test('the attack in the federation samples is removed', () => {
  const clean = sanitiseRemoteHtml(
    '<p class="mention evil" onclick="x()">a<script>alert(1)</script><svg/onload=alert(1)><a href="javascript:alert(1)">b</a>' +
      '<a href="https://ok.example" target="_self" onmouseover="x()">c</a><iframe src="https://evil.example"></iframe>' +
      '<form action="https://evil.example"><input name=p></form><math><semantics><annotation encoding="application/x-tex">x^2' +
      '</annotation></semantics></math><style>*{display:none}</style><h1>big</h1></p>',
  )
  expect(clean).toBe(
    '<p class="mention">ab<a href="https://ok.example" target="_blank" rel="nofollow noopener">c</a> $x^2$</p><p><strong>big</strong></p>',
  )
})

test('A155 shortcodes are found in text, not in attributes', () => {
  const html = '<p><a href="https://a.example/:one:" class="u-:two:">:three:</a></p>'
  expect(shortcodesIn(htmlToPlainText(html))).toEqual(['three'])
})

test('hostile 83 A137 deep nesting stops at 256 elements and keeps the text', () => {
  const clean = sanitiseRemoteHtml(`${'<b>'.repeat(50_000)}deep${'</b>'.repeat(50_000)}`)
  expect(clean).toBe(`${'<b>'.repeat(256)}deep${'</b>'.repeat(256)}`)
})

test('A130 long content is cut to 100 kB', () => {
  const clean = sanitiseRemoteHtml(`<p>${'word & '.repeat(50_000)}</p>`)
  expect(clean.endsWith('</p>')).toBe(true)
  expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(100_000)
  expect(Buffer.byteLength(clean)).toBeGreaterThan(99_990)
})

test('hostile 83 a value that is not text gives an empty text, without throwing', () => {
  for (const value of [null, undefined, 1, {}, []]) expect(sanitiseRemoteHtml(value as unknown as string)).toBe('')
})
