/** Pages and forms below `/admin` with hostile stored texts and invalid fields: no 5xx status, no markup, no write without a token. */

import { createLimiter } from '@murmuration/flow'
import type { Form } from '@murmuration/testkit/browser/page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encoded, HOSTILE, type HostileStaff, kindOf, startHostileStaff } from './hostile-staff.js'

const MARKUP = /<i-mark|<[^<>]*["'] on-mark=["']/
const LONG = 'x'.repeat(12_000)
const NONSENSE = ['99999999999999999999', '-1', '\u202e"><b>%s', '9999999999999999999', '__proto__', '0']

let server: HostileStaff
beforeAll(async () => {
  server = await startHostileStaff()
})
afterAll(() => server.stop())

type Pairs = [string, string][]

/** Forms with invalid fields are sent this many at a time, so that no request waits for the response to the one before. */
const AT_ONCE = 4

/** Bodies of a form, each with one invalid field. */
const mistakesIn = ({ fields, buttons }: Form): string[] => {
  const texts = new Set(
    fields.filter(({ type }) => /^(text|url|email|search|textarea)$/.test(type)).map(({ name }) => name),
  )
  const own = fields.map(({ name, value }): [string, string] => [name, value])
  const presses: Pairs = buttons.flatMap(({ name, value }): Pairs => (name ? [[name, value]] : []))
  const first = presses.slice(0, 1)
  const names = [...new Set([...own, ...first].map(([name]) => name))].filter((name) => name !== 'authenticity_token')
  const all: Pairs = [...own, ...first]
  const others = (name: string): Pairs => all.filter(([one]) => one !== name)
  return [
    ...names.flatMap((name, i) => [
      encoded([...others(name), [name, NONSENSE[i % NONSENSE.length] ?? '']]),
      encoded([...others(name), [name, 'a\0b']]),
      `${encoded(others(name))}&${encodeURIComponent(name)}=%ED%A0%80%FF`,
      ...(texts.has(name) ? [encoded([...others(name), [name, LONG]])] : []),
      encoded([...others(name), [`${name}[][x]`, '1']]),
      encoded([...others(name), [`${name}[toString]`, '1'], [`${name}[__proto__]`, '2']]),
      encoded([...others(name), [name, '1'], [name, '2']]),
      encoded(others(name)),
    ]),
    encoded([...own, ['do', 'constructor']]),
  ]
}

test('pages of staff show hostile texts as text', async () => {
  const pages = await server.crawl()
  expect(pages.size).toBeGreaterThan(45)
  expect([...pages].filter(([, { html }]) => MARKUP.test(html)).map(([path]) => path)).toEqual([])
  expect([...pages].filter(([, { html }]) => html.includes('&lt;i-mark&gt;')).length).toBeGreaterThan(12)
})

test('no form of staff pages writes without a token of the session', async () => {
  const pages = await server.crawl()
  const actions = new Set(
    [...pages.values()].flatMap(({ forms }) =>
      forms.filter((one) => one.method === 'POST').map((one) => new URL(one.action).pathname),
    ),
  )
  expect(actions.size).toBeGreaterThan(30)
  const found: string[] = []
  for (const action of actions)
    for (const body of ['', 'authenticity_token=x', 'authenticity_token[]=x', `authenticity_token=${'A'.repeat(43)}`]) {
      const { status } = await server.post(action, body)
      if (status !== 403) found.push(`${status} ${action} ${body}`)
    }
  expect(found).toEqual([])
})

test('invalid values of query parameters never give a 5xx status', async () => {
  const paths = [...new Set([...(await server.crawl()).keys()].map((path) => path.replace(/\?.*/, '')))]
  const names =
    'max_id q page state queue order category status origin role_ids permissions username display_name by_domain email ip invited_by action actor_id target_id batch_id domain account usable name type report_id text warning_preset_id kind period id address url form skip severity'.split(
      ' ',
    )
  const values = [
    '%ED%A0%80',
    '%FF',
    encodeURIComponent(HOSTILE),
    '99999999999999999999',
    '9999999999999999999',
    '-1',
    '__proto__',
    'constructor',
    'x'.repeat(3_000),
  ]
  const headers = { cookie: server.boss.cookies.header(new URL(server.origin)) }
  const found: string[] = []
  for (const path of paths)
    for (const query of [
      ...values.map((value) => names.map((name) => `${name}=${value}`).join('&')),
      names.map((name) => `${name}[]=1&${name}[a]=2`).join('&'),
      names.map((name) => `${name}[toString]=1&${name}[b]=2`).join('&'),
    ]) {
      const { status, text } = await server.http(`${path}?${query}`, { headers })
      if (status >= 500 || MARKUP.test(text)) found.push(`${status} ${path}?${query.slice(0, 60)}`)
    }
  expect(found).toEqual([])
})

test('D038 invalid fields in the forms of staff pages never give a 5xx status', async () => {
  const pages = await server.crawl()
  const found: string[] = []
  const done = new Set<string>()
  const sending = createLimiter({ concurrency: AT_ONCE })
  const sent: Promise<void>[] = []
  for (const [path, { forms }] of pages)
    for (const form of forms.filter((one) => one.method === 'POST' && one.encoding !== 'multipart/form-data')) {
      const action = new URL(form.action).pathname
      if (!/^\/admin/.test(action)) continue
      const kind = `${kindOf(action)} ${form.fields.map((one) => one.name)} ${form.buttons.map((one) => one.value)}`
      if (done.has(kind)) continue
      done.add(kind)
      for (const body of mistakesIn(form))
        sent.push(
          sending.run(async () => {
            const { status, text } = await server.post(action, body)
            if (status >= 500 || MARKUP.test(text)) found.push(`${status} ${path} → ${action} ${body}`.slice(0, 600))
          }),
        )
    }
  await Promise.all(sent)
  expect(sent.length).toBeGreaterThan(700)
  expect(found).toEqual([])
  // About 2,600 forms are sent; alone on a machine they take 20 to 40 s.
})

test('forms with ids that do not exist give a 4xx status or a message', async () => {
  const pages = await server.crawl()
  const proof =
    [...pages.values()]
      .flatMap(({ forms }) => forms)
      .flatMap((form) => form.fields)
      .find((one) => one.name === 'authenticity_token')?.value ?? ''
  const actions = new Set(
    [...pages.values()].flatMap(({ forms }) =>
      forms.filter((one) => one.method === 'POST').map((one) => new URL(one.action).pathname),
    ),
  )
  const found: string[] = []
  for (const action of actions)
    for (const id of ['7', '9223372036854775807', '99999999999999999999', 'x', '-99', '%ED%A0%80', '%00']) {
      const path = action.replace(/\d{6,}/, id)
      if (path === action) continue
      for (const act of ['', 'do=save', 'do=remove', 'do=delete&sure=1', 'do=publish', 'do=test', 'sure=1']) {
        const { status } = await server.post(path, `authenticity_token=${proof}&${act}`)
        if (status >= 500 || status < 300) found.push(`${status} ${path} ${act}`)
      }
    }
  expect(found).toEqual([])
})

/** Sends a multipart form with the cookies and the token of `boss`. */
const upload = async (path: string, pairs: [string, string | Blob][]) => {
  const page = await server.open(server.boss, path)
  const proof = page.forms.flatMap((one) => one.fields).find((one) => one.name === 'authenticity_token')?.value ?? ''
  const body = new FormData()
  for (const [name, value] of [['authenticity_token', proof] as const, ...pairs]) body.append(name, value)
  const headers = { cookie: server.boss.cookies.header(new URL(server.origin)) }
  return server.http(path, { method: 'POST', headers, body })
}
const file = (text: string | Buffer, type: string) => new Blob([new Uint8Array(Buffer.from(text))], { type })

test('D038 hostile lists of servers are refused or counted', async () => {
  const lists: (string | Buffer)[] = [
    '#domain,#severity\nbad.example,constructor\nconstructor,suspend\n__proto__,suspend\nx.__proto__,__proto__\nnew.example,__proto__',
    `#domain,#severity,#public_comment\n${HOSTILE},suspend,x\n"<i-mark>",suspend,"${HOSTILE.replaceAll('"', '""')}"`,
    '#domain\n"unclosed',
    Array.from({ length: 5_001 }, (_, n) => `s${n}.example`).join('\n'),
    'a\0b.example',
    Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]),
    Buffer.from('\ud800.example', 'utf16le'),
    `${'x'.repeat(100_000)}.example,suspend`,
    `#domain${',#severity'.repeat(3_000)}\n${'a,'.repeat(9_000)}`,
    '127.0.0.1\n::1\nlocalhost\n.\n*.example\nhttp://bad.example/path\na b',
    server.origin.replace(/^http:\/\//, ''),
    '\u202ecod.elpmaxe\nmünchen.example',
  ]
  const found: string[] = []
  for (const list of lists)
    for (const pairs of [[['file', file(list, 'text/csv')]], [['list', Buffer.from(list).toString()]]] as [
      string,
      string | Blob,
    ][][]) {
      const { status, text } = await upload('/admin/domains/import', pairs)
      if (![200, 303, 422].includes(status) || MARKUP.test(text))
        found.push(`${status} ${pairs[0]?.[0]} ${String(list).slice(0, 40)}`)
      const packed = /name="packed" value="([^"]*)"/.exec(text)?.[1]
      const proof = /name="authenticity_token" value="([^"]*)"/.exec(text)?.[1] ?? ''
      for (const value of [packed ?? '', `${packed?.slice(0, -5)}`, 'AAAA', '', 'x'.repeat(9_000)]) {
        const answer = await server.post(
          '/admin/domains/import/confirm',
          encoded([
            ['authenticity_token', proof],
            ['packed', value],
          ]),
        )
        if (answer.status >= 500 || MARKUP.test(answer.text))
          found.push(`${answer.status} confirm ${value.slice(0, 40)}`)
      }
    }
  expect(found).toEqual([])
})

test('D038 hostile emoji are refused', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
    'base64',
  )
  const found: string[] = []
  for (const [shortcode, picture] of [
    ['svg', file(svg, 'image/png')],
    ['svg', file(svg, 'image/svg+xml')],
    ['cut', file(png.subarray(0, 40), 'image/png')],
    ['empty', file('', 'image/png')],
    ['big', file(Buffer.concat([png, Buffer.alloc(400_000)]), 'image/png')],
    ['<i-mark>', file(png, 'image/png')],
    ['a\0b', file(png, 'image/png')],
    ['', file(png, 'image/png')],
    ['x'.repeat(500), file(png, 'image/png')],
    ['../../x', file(png, 'image/png')],
    ['__proto__', file(png, 'image/png')],
  ] as const)
    for (const category of ['', HOSTILE, 'x'.repeat(10_000), 'a\0b']) {
      const { status, text } = await upload('/admin/custom_emojis', [
        ['shortcode', shortcode],
        ['category', category],
        ['file', picture],
      ])
      const isOdd = status >= 500 || MARKUP.test(text) || (status === 303 && !/^(big|__proto__)$/.test(shortcode))
      if (isOdd) found.push(`${status} ${shortcode.slice(0, 20)} ${category.slice(0, 20)}`)
    }
  const forged = { key: 'emoji/1', size: '1', type: 'image/png', name: 'x' }
  for (const name of ['file', 'picture[file]'])
    found.push(
      ...(await upload('/admin/custom_emojis', [
        ['shortcode', 'forged'],
        ...Object.entries(forged).map(([key, value]): [string, string] => [`${name}[${key}]`, value]),
      ]).then(({ status }) => (status === 422 ? [] : [`${status} forged ${name}`]))),
    )
  for (const path of ['/admin/custom_emojis', '/admin/custom_emojis/__proto__', '/admin/custom_emojis/constructor']) {
    const { status, html } = await server.open(server.boss, path)
    if (status >= 500 || MARKUP.test(html)) found.push(`${status} ${path}`)
  }
  expect(found).toEqual([])
})
