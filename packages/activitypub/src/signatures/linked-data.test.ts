/** Linked-data signatures: the test vectors, and every known manipulation of documents and graphs. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, describe, expect, test } from 'vitest'
import { type DocumentCase, type VectorFile, type VectorKeys, vectors } from '../../test/vectors.js'
import { plainContext, readingContext } from '../vocabulary/context.js'
import { parseDocument } from '../vocabulary/parse-document.js'
import { createGraphs, type GraphRefusal } from './graph.js'
import { keyFromPem, privateKeyFromPem } from './keys.js'
import { addLinkedDataSignature, type LinkedDataRefusal, verifyLinkedData } from './linked-data.js'

type Case = DocumentCase & { now?: string }

const keys = vectors<VectorKeys>('keys')
const file = vectors<VectorFile<Case>>('rsasignature2017')
const graphs = createGraphs(readingContext)
afterAll(() => graphs.close())

const owned = ({ publicKeyPem, owner }: { publicKeyPem: string; owner: string }) => ({
  ...keyFromPem(publicKeyPem)!,
  owner,
})
const stored = new Map([
  [keys.rsa.keyId, owned(keys.rsa)],
  [keys.otherRsa.keyId, owned(keys.otherRsa)],
])
const verify = (document: Record<string, unknown>, now = file.now) =>
  verifyLinkedData(document, { now: Date.parse(now), graphs, getKey: async (id) => stored.get(id) ?? null })

const reasons: Record<string, LinkedDataRefusal> = {
  expired: 'expired',
  'object-changed': 'wrong-signature',
  'unsigned-extra-property-outside-context': 'wrong-signature',
  'graph-restructuring': 'reshaped',
  'reverse-restructuring': 'reshaped',
  'wrong-creator': 'foreign-key',
}

const signed = (): Record<string, unknown> => structuredClone((file.cases[0] as Case).document)

describe('vectors of rsasignature2017', () => {
  test.each(file.cases.map((it) => [it.name, it] as const))('%s', async (name, it) => {
    const outcome = await verify(it.document, it.now)
    const reason = reasons[name]
    expect(outcome).toMatchObject(reason === undefined ? { ok: true, actor: keys.rsa.owner } : { ok: false, reason })
    expect(it.expect.startsWith('reject')).toBe(reason !== undefined)
  })
})

describe('accepted content', () => {
  test('hostile 22: the document is returned with local terms and without unsigned parts', async () => {
    const it = file.cases.find((one) => one.name === 'unsigned-property-not-in-context') as Case
    const outcome = await verify(it.document)
    expect(outcome.ok).toBe(true)
    const document = JSON.parse(outcome.ok ? outcome.document : '')
    const strange = Object.keys(it.document).filter((key) => !(key in signed()))
    expect(strange.length).toBeGreaterThan(0)
    for (const key of strange) expect(document).not.toHaveProperty(key)
    expect(document).toMatchObject({ type: 'Delete', actor: keys.rsa.owner, object: { type: 'Tombstone' } })
  })

  test('hostile 22: terms that the sender redefines have their standard meaning', async () => {
    const activity = {
      '@context': [...plainContext, { object: 'https://evil.example/ns#object', target: 'as:object' }],
      id: `${keys.rsa.owner}#1`,
      type: 'Delete',
      actor: keys.rsa.owner,
      object: `${keys.rsa.owner}/statuses/1`,
    }
    const own = await addLinkedDataSignature(activity, {
      keyId: keys.rsa.keyId,
      privateKey: privateKeyFromPem(keys.rsa.privateKeyPem),
      created: '2026-05-01T10:00:00Z',
      expires: '2026-05-03T10:00:00Z',
      graphs,
    })
    const outcome = await verify(own as Record<string, unknown>)
    expect(outcome.ok && JSON.parse(outcome.document)).not.toHaveProperty('object')
  })

  test('f01: a nonce is signed', async () => {
    const document = signed()
    const outcome = await verify({ ...document, signature: { ...(document.signature as object), nonce: 'abc' } })
    expect(outcome).toEqual({ ok: false, reason: 'wrong-signature' })
  })

  test('hostile 23 interop 8.9 a local signature is valid for two days', async () => {
    const { signature, ...document } = signed()
    const own = (await addLinkedDataSignature(document as never, {
      keyId: keys.rsa.keyId,
      privateKey: privateKeyFromPem(keys.rsa.privateKeyPem),
      created: '2026-05-01T10:00:00Z',
      expires: '2026-05-03T10:00:00Z',
      graphs,
    })) as Record<string, unknown>
    const vector = file.cases.find((one) => one.name === 'valid-created-and-expires') as Case
    expect(own.signature).toEqual(vector.document.signature)
    expect((own['@context'] as unknown[]).at(-1)).toEqual({
      RsaSignature2017: 'https://w3id.org/security#RsaSignature2017',
    })
    expect(signature).toBeDefined()
    expect((await verify(own)).ok).toBe(true)
    expect(await verify(own, '2026-05-03T10:00:01Z')).toEqual({ ok: false, reason: 'expired' })
  })
})

describe('forms of documents', () => {
  test.each<[string, (it: unknown) => unknown]>([
    ['a list', (it) => [it]],
    ['a JSON-LD list', (it) => ({ '@list': [it] })],
    ['a list with one of another type', (it) => [{ type: 'Ed25519Signature2018' }, it]],
  ])('the signature may be in %s', async (_, as) => {
    const document = signed()
    const outcome = await verify({ ...document, signature: as(document.signature) })
    expect(outcome).toMatchObject({ ok: true, actor: keys.rsa.owner })
  })

  test.each<[string, (it: string) => unknown]>([
    ['a list', (it) => [it]],
    ['an object', (it) => ({ id: it })],
    ['a JSON-LD reference', (it) => ({ '@id': it })],
  ])('the actor may be %s', async (_, as) => {
    const { signature: _signature, ...document } = signed()
    const own = await addLinkedDataSignature({ ...document, actor: as(keys.rsa.owner) } as never, {
      keyId: keys.rsa.keyId,
      privateKey: privateKeyFromPem(keys.rsa.privateKeyPem),
      created: '2026-05-01T10:00:00Z',
      expires: '2026-05-03T10:00:00Z',
      graphs,
    })
    expect(await verify(own as Record<string, unknown>)).toMatchObject({ ok: true, actor: keys.rsa.owner })
  })

  test('several actors are none', async () => {
    const document = signed()
    const actor = [document.actor, 'https://remote.example/users/other']
    expect(await verify({ ...document, actor })).toEqual({ ok: false, reason: 'no-actor' })
  })
})

describe('spoiled signatures', () => {
  const spoil = (change: object) => {
    const document = signed()
    return { ...document, signature: { ...(document.signature as object), ...change } }
  }
  test.each([
    ['none', { ...signed(), signature: 'x' }, 'no-signature'],
    ['another kind', spoil({ type: 'RsaSignature2018' }), 'unsupported-type'],
    ['an option that we cannot write', spoil({ domain: 'x' }), 'malformed-options'],
    ['an option that ends the line', spoil({ created: '2026-05-01T10:00:00Z" .\n' }), 'malformed-options'],
    ['a creator that is no address', spoil({ creator: 'https://a> <b' }), 'malformed-options'],
    ['a creator that is an object', spoil({ creator: { id: keys.rsa.keyId } }), 'malformed-options'],
    ['no value', spoil({ signatureValue: '' }), 'malformed-options'],
    ['hostile 23 an end that is no time', spoil({ expires: '2026-99-99T10:00:00Z' }), 'expired'],
    ['a key nobody has', spoil({ creator: 'https://remote.example/key' }), 'unknown-key'],
    ['no actor', { ...signed(), actor: 7 }, 'no-actor'],
    ['a context of the sender', { ...signed(), '@context': ['https://evil.example/ctx'] }, 'unreadable-graph'],
  ] as const)('%s', async (_name, document, reason) => {
    expect(await verify(document as Record<string, unknown>)).toEqual({ ok: false, reason })
  })
})

describe('hostile 21: the same graph in another shape, and riders on it', () => {
  const rides = async (change: object) => {
    const outcome = await verify({ ...signed(), ...change })
    return outcome.ok ? JSON.parse(outcome.document) : outcome.reason
  }
  test('a context that hides the key behind another name', async () => {
    const { '@context': context, signature, ...rest } = signed()
    const hidden = [...(context as object[]), { all: '@graph' }]
    expect(await verify({ '@context': hidden, all: [rest], actor: keys.rsa.owner, signature })).toEqual({
      ok: false,
      reason: 'unreadable-graph',
    })
  })
  test('a node whose id is not an absolute IRI is neither in the graph nor in the accepted content', async () => {
    const rider = { id: 'not an address', type: 'Mention', href: 'https://victim.example/users/bob' }
    expect(await rides({ tag: rider })).not.toHaveProperty('tag')
    const two = await rides({ object: [signed().object, { ...rider, content: 'x' }] })
    expect(two.object).toMatchObject({ type: 'Tombstone' })
  })
  test('a type that is not an absolute IRI is not in the accepted content', async () => {
    expect(await rides({ attachment: { id: 'x y', type: 'Unheard' } })).not.toHaveProperty('attachment')
  })
})

describe('graphs are computed within limits', () => {
  const as = 'https://www.w3.org/ns/activitystreams'
  /** A complete graph of nodes without names, whose canonical form takes exponential time. */
  const clique = (n: number) => ({
    '@context': as,
    type: 'Note',
    tag: Array.from({ length: n }, (_, i) => ({
      id: `_:n${i}`,
      tag: Array.from({ length: n }, (_, k) => ({ id: `_:n${k}` })).filter((_, k) => k !== i),
    })),
  })
  test.each([
    [
      'hostile 24: addresses that are not pinned are not fetched',
      { '@context': 'https://evil.example/50mb', id: 'https://a.example/1' },
      'unknown-context',
    ],
    [
      'hostile 24: an address inside a context neither',
      { '@context': [as, { x: { '@id': 'as:x', '@context': 'https://evil.example/' } }], x: { y: 1 } },
      'no-graph',
    ],
    ['large ones', { '@context': as, content: 'x'.repeat(140_000) }, 'too-large'],
    ['contexts that contradict themselves', { '@context': [as, { a: 'b:c', b: 'a:d' }], a: 'x' }, 'no-graph'],
    ['nodes that cannot be told apart', clique(12), 'no-graph'],
  ] as [string, object, GraphRefusal][])('%s', async (_name, document, reason) => {
    expect(await graphs.read(JSON.stringify(document))).toEqual({ ok: false, reason })
  })

  const easy = JSON.stringify({ '@context': as, id: 'https://a.example/1', type: 'Note' })

  test('a document that takes too long is ended with its thread, and the next one is processed', async () => {
    const impatient = createGraphs(readingContext, { slowestMs: 1 })
    const tag = Array.from({ length: 1_500 }, (_, i) => ({ type: 'Mention', href: `https://a.example/users/${i}` }))
    expect((await impatient.read(easy)).ok).toBe(true)
    expect(await impatient.read(JSON.stringify({ '@context': as, type: 'Note', tag }))).toEqual({
      ok: false,
      reason: 'too-slow',
    })
    expect((await impatient.read(easy)).ok).toBe(true)
    await impatient.close()
  })

  test('hostile 24 an owner of many slow documents is refused, and other owners are not delayed', async () => {
    const graphs = createGraphs(readingContext, { slowMs: 0 })
    expect((await graphs.read(easy)).ok).toBe(true)
    const of = 'evil.example'
    const all = await Promise.all(Array.from({ length: 12 }, () => graphs.read(easy, { of })))
    expect(all.filter((it) => it.ok)).toHaveLength(5)
    expect(await graphs.read(easy, { of })).toEqual({ ok: false, reason: 'too-busy' })
    expect((await graphs.read(easy, { of: 'good.example' })).ok).toBe(true)
    await graphs.close()
  })

  test('documents beyond the queue limit are refused, and close() refuses the waiting ones', async () => {
    const short = createGraphs(readingContext, { maxWaiting: 2 })
    const all = await Promise.all([1, 2, 3, 4].map(() => short.read(easy)))
    expect(all.map((it) => it.ok)).toEqual([true, true, true, false])
    expect(all[3]).toEqual({ ok: false, reason: 'too-busy' })
    await short.close()
    expect(await short.read(easy)).toEqual({ ok: false, reason: 'too-busy' })
  })
})

describe('A129 documents made to cost time', () => {
  const as = 'https://www.w3.org/ns/activitystreams'
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'Note' } : { '@context': { [`k${depth}`]: `as:k${depth}` }, tag: nested(depth - 1) }
  const rounds = Array.from({ length: 400 }, (_, n) => ({ [`a${n}`]: { '@id': `a${n + 1}:x`, '@type': '@id' } }))
  const hostile: [string, object][] = [
    ['contexts in contexts', { '@context': as, ...nested(30) }],
    ['four hundred contexts that name each other', { '@context': [as, ...rounds], a1: 'x' }],
    ['a hundred thousand keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]))],
    ['ten thousand lists', { '@context': as, tag: Array.from({ length: 10_000 }, () => [[[]]]) }],
    [
      'thirty nameless nodes in a ring, twice',
      {
        '@context': as,
        type: 'Note',
        tag: Array.from({ length: 60 }, (_, n) => ({
          id: `_:n${n}`,
          tag: { id: `_:n${n < 30 ? (n + 1) % 30 : 30 + ((n + 1) % 30)}` },
        })),
      },
    ],
    [
      'forty nameless nodes that all know each other',
      {
        '@context': as,
        tag: Array.from({ length: 40 }, (_, n) => ({
          id: `_:n${n}`,
          tag: Array.from({ length: 40 }, (_, k) => ({ id: `_:n${k}` })),
        })),
      },
    ],
  ]
  test.each(hostile)('%s: ends in time and does not block other work', async (_name, document) => {
    const text = JSON.stringify(document)
    expect(text.length).toBeLessThan(2_000_000)
    const read = createGraphs(readingContext)
    await read.read(JSON.stringify({ '@context': as, id: 'https://a.example/1' }))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const before = process.cpuUsage()
    const parsed = parseDocument(Buffer.from(text))
    if (parsed.ok) {
      const outcome = await verifyLinkedData(
        {
          ...parsed.document,
          actor: keys.rsa.owner,
          signature: {
            type: 'RsaSignature2017',
            creator: keys.rsa.keyId,
            created: file.now,
            signatureValue: 'AAAA',
          },
        },
        { now: Date.parse(file.now), graphs: read, getKey: async (id) => stored.get(id) ?? null },
      )
      expect(outcome.ok).toBe(false)
    }
    const used = process.cpuUsage(before)
    delay.disable()
    await read.close()
    // The limit allows for a busy machine; exponential time exceeds it by far.
    expect((used.user + used.system) / 1_000).toBeLessThan(3_000)
    expect(delay.max / 1e6).toBeLessThan(1_000)
  })
})
