/** One signed document in many JSON forms of the same graph: the accepted content is always the same. */

import { afterAll, describe, expect, test } from 'vitest'
import { type VectorKeys, vectors } from '../../test/vectors.js'
import { plainContext, readingContext } from '../vocabulary/context.js'
import { createGraphs } from './graph.js'
import { keyFromPem, privateKeyFromPem } from './keys.js'
import { addLinkedDataSignature, verifyLinkedData } from './linked-data.js'

const { rsa } = vectors<VectorKeys>('keys')
const graphs = createGraphs(readingContext)
afterAll(() => graphs.close())

const made = '2026-05-01T10:00:00Z'
const key = { ...keyFromPem(rsa.publicKeyPem)!, owner: rsa.owner }
const verify = (document: Record<string, unknown>) =>
  verifyLinkedData(document, { now: Date.parse(made), graphs, getKey: async () => key })

describe('hostile 22: one signed graph in other JSON forms, as a forwarding server may send it', () => {
  const id = `${rsa.owner}/statuses/1`
  const isPublic = 'https://www.w3.org/ns/activitystreams#Public'
  const mention = { type: 'Mention', href: 'https://local.example/users/bob', name: '@bob' }
  const option = { type: 'Note', name: 'a', replies: { type: 'Collection', totalItems: 3 } }
  const picture = { type: 'Image', url: 'https://a.example/1.png', focalPoint: [-0.5, 0.25] }
  const focalPoint = { '@id': 'http://joinmastodon.org/ns#focalPoint', '@container': '@list' }
  const activity = {
    '@context': [...plainContext, { sensitive: 'as:sensitive', focalPoint }],
    id: `${id}/activity`,
    type: 'Create',
    actor: rsa.owner,
    object: {
      id,
      type: 'Question',
      attributedTo: rsa.owner,
      to: isPublic,
      content: 'hello',
      contentMap: { en: 'hello' },
      context: 'https://remote.example/contexts/1',
      summary: 'beware',
      sensitive: true,
      published: made,
      tag: [mention],
      attachment: [picture],
      oneOf: [option],
    },
  }
  type Activity = Omit<typeof activity, 'object'> & { object: unknown }
  const xsd = (type: string, value: unknown) => ({
    '@type': `http://www.w3.org/2001/XMLSchema#${type}`,
    '@value': value,
  })
  const respelt = (change: object): Activity => ({ ...activity, object: { ...activity.object, ...change } })

  /** Accepted content of this form, with the signature of the first form. */
  const read = async (spelt: Activity): Promise<unknown> => {
    const { signature } = (await addLinkedDataSignature(activity, {
      keyId: rsa.keyId,
      privateKey: privateKeyFromPem(rsa.privateKeyPem),
      created: made,
      expires: '2026-05-03T10:00:00Z',
      graphs,
    })) as { signature: object }
    const outcome = await verify({ ...spelt, signature })
    return outcome.ok ? JSON.parse(outcome.document).object : outcome.reason
  }

  test.each<[string, Activity]>([
    [
      'a direction for all texts',
      { ...activity, '@context': [...activity['@context'], { '@direction': 'rtl' } as never] },
    ],
    ['an index on a text', respelt({ summary: { '@value': 'beware', '@index': 'x' } })],
    ['a text that is called one', respelt({ summary: xsd('string', 'beware') })],
    ['a truth as text', respelt({ sensitive: xsd('boolean', 'true') })],
    ['a count as text', respelt({ oneOf: [{ ...option, replies: { type: 'Collection', totalItems: '3' } }] })],
    [
      'numbers as texts',
      respelt({ attachment: [{ ...picture, focalPoint: [xsd('double', '-5.0E-1'), xsd('double', '2.5E-1')] }] }),
    ],
    ['a text twice', respelt({ summary: ['beware', 'beware'] })],
    ['a type twice', respelt({ type: ['Question', 'Question'] })],
  ])('%s says the same', async (_name, spelt) => {
    expect(await read(spelt)).toEqual(await read(activity))
  })

  test.each<[string, object]>([
    ['a picture', { attachment: [picture, { id: 'a_b:x', type: 'Image', url: 'https://evil.example/x.png' }] }],
    ['a choice', { oneOf: [option, { id: 'a_b:x', type: 'Note', name: 'evil' }] }],
    ['a mention', { tag: [mention, { id: 'a_b:x', ...mention, href: 'https://local.example/users/carol' }] }],
  ])('%s that rides along under an id that is none is not believed', async (_name, change) => {
    expect(await read(respelt(change))).toEqual(await read(activity))
  })

  const { summary, sensitive, ...rest } = activity.object
  const rider = `en .\n<${id}> <https://www.w3.org/ns/activitystreams#context> <${activity.object.context}>`
  test.each<[string, Activity]>([
    ['an object in two parts', { ...activity, object: [rest, { id, summary, sensitive }] }],
    [
      'a mention in two parts',
      respelt({
        tag: [
          { id: '_:b', type: 'Mention' },
          { ...mention, id: '_:b', type: [] },
        ],
      }),
    ],
    [
      'a type that is written out',
      respelt({
        tag: [{ ...mention, type: [], 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type': { id: 'as:Mention' } }],
      }),
    ],
    [
      'a language that takes the next line with it',
      respelt({
        context: undefined,
        contentMap: undefined,
        content: ['hello', { '@value': 'hello', '@language': rider }],
      }),
    ],
  ])('%s is nothing', async (_name, spelt) => {
    expect(await read(spelt)).toMatch(/^(?:unreadable-graph|wrong-signature)$/)
  })
})
