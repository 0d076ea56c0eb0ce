// Cases for rendering: exact HTML in golden files, and properties of any text.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type RenderContext, renderBioHtml, renderFieldHtml, renderStatusHtml } from './render.js'
import { sanitiseRemoteHtml } from './sanitise.js'

type Golden = { name: string; text: string; html: string }

const golden = (file: string): Golden[] => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

const person = (acct: string, url: string) => ({ acct, url, username: acct.split('@')[0]! })
const context: RenderContext = {
  mentions: new Map([
    ['alice', person('alice', 'https://here.example/@alice')],
    ['bob@far.example', person('bob@far.example', 'https://far.example/@bob')],
    ['evil@far.example', person('evil@far.example', 'javascript:alert(1)')],
  ]),
  tagUrl: (name) => `https://here.example/tags/${encodeURIComponent(name)}`,
  handleDomains: new Set(['here.example', 'web.here.example']),
}

describe('status', () => {
  test.each(golden('render-status.golden.json'))('$name', ({ text, html }) => {
    expect(renderStatusHtml(text, context)).toBe(html)
    expect(renderBioHtml(text, context)).toBe(html)
  })
})

describe('profile field', () => {
  test.each(golden('render-field.golden.json'))('$name', ({ text, html }) => {
    expect(renderFieldHtml(text, context)).toBe(html)
  })
})

describe('two accounts with one username', () => {
  const shared = new Map([...context.mentions, ['bob', person('bob', 'https://here.example/@bob')]])
  const inner = (html: string) => [...html.matchAll(/@<span>(.*?)<\/span>/g)].map(([, name]) => name)

  test('two accounts with one username are shown with their full handles', () => {
    const html = renderStatusHtml('@bob @bob@far.example @alice', { ...context, mentions: shared })
    expect(inner(html)).toEqual(['bob', 'bob@far.example', 'alice'])
  })

  test('an account is shown with its full handle when the caller marks it as ambiguous', () => {
    const mentions = new Map([
      ['bob@far.example', { ...person('bob@far.example', 'https://far.example/@bob'), ambiguous: true }],
    ])
    expect(inner(renderStatusHtml('@bob@far.example', { ...context, mentions }))).toEqual(['bob@far.example'])
  })
})

test('A150 typed markup is escaped', () => {
  const html = renderStatusHtml('"><img src=x onerror=1> https://a.example/"onmouseover=x #a"b @alice"c', context)
  expect(html.match(/<[a-z]+/g)!.filter((tag) => !['<p', '<a', '<span'].includes(tag))).toEqual([])
  expect(html).not.toMatch(/ on\w+=["']/)
})

test('rendered HTML passes the sanitiser unchanged, except for rel and target of mentions and hashtags', () => {
  const texts = golden('render-status.golden.json').map(({ html }) => html)
  const linked = texts.filter((html) => !html.includes('mention'))
  expect(linked.map((html) => sanitiseRemoteHtml(html).replaceAll("'", '&#39;').replaceAll('"', '&quot;'))).toEqual(
    linked.map((html) => html.replaceAll('"', '&quot;')),
  )
  expect(texts.map((html) => sanitiseRemoteHtml(sanitiseRemoteHtml(html)))).toEqual(
    texts.map((html) => sanitiseRemoteHtml(html)),
  )
})
