/** FEDERATION.md agrees with the code: types, limits, collections, properties and addresses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { activityTypes } from '@murmuration/activitypub/vocabulary/activity'
import { limits } from '@murmuration/activitypub/vocabulary/limits'
import { convertedKinds, nativeKinds } from '@murmuration/activitypub/vocabulary/note'
import { actorAddresses, writeActor } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeNote } from '@murmuration/activitypub/vocabulary/write-note'
import { repository } from '@murmuration/testkit'
import { describe, expect, test } from 'vitest'
import { actor, ada, note } from '../../../packages/activitypub/test/outgoing.js'
import { maxMentions } from '../src/core/remote-object/note.rules.js'
import { classifyResponse } from '../src/delivery/result.rules.js'
import { HELD_MS, MAX_RETRY_AFTER_MS } from '../src/delivery/retry.rules.js'
import { MAX_UNREAD_KEYS_PER_ADDRESS, SIGNER_KEYS_PER_HOST } from '../src/resolver/request-limits.js'

const page = readFileSync(join(repository(), 'FEDERATION.md'), 'utf8')
/** The rows of the first table below a heading, as cells. */
const table = (heading: string): string[][] => {
  const [, below = ''] = page.split(`\n${heading}\n`)
  const [rows = ''] = /(?:^\|.*\n)+/m.exec(below) ?? []
  return rows
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}
const quoted = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

test('it is linked from the first page', () => {
  expect(readFileSync(join(repository(), 'README.md'), 'utf8')).toContain('(FEDERATION.md)')
})

describe('activities that come in', () => {
  const rows = table('### Activities in')
  test('every type that is understood has a row, and no other', () => {
    expect(new Set(rows.flatMap(([types]) => quoted(types)))).toEqual(new Set([...activityTypes, 'EmojiReact']))
  })
  test('statuses are of these kinds', () => {
    const create = rows.find(([types]) => types === '`Create`')
    expect(new Set(quoted(create?.[1]))).toEqual(new Set([...nativeKinds, ...convertedKinds]))
  })
})

test('limits', () => {
  const documented = Object.fromEntries(
    table('### Limits').map(([what = '', limit = '']) => [
      what,
      limit.match(/[\d,]{2,}\d|\d+/g)?.map((it) => Number(it.replaceAll(',', ''))),
    ]),
  )
  expect(documented).toEqual({
    document: [limits.documentBytes],
    'nesting of a document': [limits.depth],
    'values in a document': [limits.values],
    '`id`, addresses': [2_048],
    'entries of `to` and of `cc`': [limits.addresses],
    'entries of `tag`, and of each kind': [limits.tags, limits.tagsOfKind],
    'mentions that are looked up': [maxMentions],
    'media of a status': [limits.attachments],
    'options of a poll': [limits.pollOptions],
    'description of a medium': [limits.altText],
    'comment of a report': [limits.comment],
    'objects of a report': [limits.objectsOfFlag],
    'name of an account': [limits.displayName],
    biography: [limits.bio],
    'fields of a profile, each name and value': [limits.fields, limits.field],
    '`alsoKnownAs`, `attributionDomains`': [limits.aliases],
    'keys of an actor': [limits.keys],
  })
})

test('addresses below an actor', () => {
  const row = table('## Addresses').find(([what]) => what === 'below an actor')
  const documented = new Set(quoted(row?.[1]))
  const { mainKey, ...addresses } = actorAddresses(ada)
  for (const address of Object.values(addresses)) expect(documented).toContain(address.slice(ada.length))
  expect(mainKey).toBe(`${ada}#main-key`)
})

test('every special field of actors and statuses is named', () => {
  const [, actors = ''] = page.split('\n## Actors\n')
  for (const field of ['webfinger', 'showFeatured', 'attributionDomains', 'interactionPolicy', 'indexable']) {
    expect(writeActor(actor)).toHaveProperty(field)
    expect(actors).toContain(field)
  }
  expect(writeNote({ ...note, quote: { uri: note.uri, authorization: note.uri } })).toMatchObject(
    Object.fromEntries(
      ['quote', '_misskey_quote', 'quoteUri', 'quoteUrl', 'quoteAuthorization'].map((it) => [it, note.uri]),
    ),
  )
})

test('meaning of each response to a delivery', () => {
  const [, final = ''] = /2xx is success\. ([\d, \n]+ and\s\d+) are final/.exec(page) ?? []
  const codes = final
    .split(/[,\s]+|and/)
    .filter(Boolean)
    .map(Number)
  expect(codes.length).toBeGreaterThan(5)
  for (const status of codes)
    expect([status, classifyResponse({ status, headers: {} }, 0).kind]).toEqual([status, 'refused'])
  expect(classifyResponse({ status: 401, headers: {} }, 0)).toMatchObject({ kind: 'later', max: 4 })
  expect(classifyResponse({ status: 307, headers: {} }, 0)).toMatchObject({ kind: 'later', max: 3 })
  expect([HELD_MS, MAX_RETRY_AFTER_MS]).toEqual([7 * 86_400_000, 6 * 3_600_000])
})

test('rate limits of requests for unknown keys', () => {
  const documented = /unknown keys[^:]*: ([\d,]+) a minute to one host\. Of one address, ([\d,]+) a minute/.exec(page)
  expect(documented?.slice(1).map((it) => Number(it.replaceAll(',', '')))).toEqual([
    SIGNER_KEYS_PER_HOST,
    MAX_UNREAD_KEYS_PER_ADDRESS,
  ])
})
