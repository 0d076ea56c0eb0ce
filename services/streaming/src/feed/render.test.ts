/** Rendering for many viewers, of whom some disconnect or have refused grants. */
import { expect, test, vi } from 'vitest'
import { createRenderer } from './render.js'

/** A renderer for viewers with grants. Statuses refuses every grant that is not the viewer's own. */
const setUp = (grants: Map<string, string>) => {
  const call = vi.fn(async (_operation: unknown, input: { listeners: string[]; grants: string[] }) => {
    const refused = input.listeners.flatMap((one, i) => (input.grants[i] === `grant of ${one}` ? [] : [i]))
    const tailOf = input.listeners.map((_, i) => (refused.includes(i) ? -1 : 0))
    return { card: '{"id":"5"', tails: ['}'], tailOf, refused }
  })
  const registry = {
    grantOf: (viewer: string) => grants.get(viewer) ?? '',
    renew: async () => undefined,
    of: (viewer: string) => (grants.has(viewer) ? 1 : 0),
  }
  return { call, renderer: createRenderer({ call } as unknown as Parameters<typeof createRenderer>[0], registry) }
}

test('a listener that disconnects while viewers are collected does not lose the status of others', async () => {
  const grants = new Map(['1', '2', '3'].map((one) => [one, `grant of ${one}`]))
  const { call, renderer } = setUp(grants)
  const results = Promise.allSettled(['1', '2', '3'].map((viewer) => renderer.batched('5', viewer)))
  grants.delete('1')
  expect(await results).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: '{"id":"5"}' },
    { status: 'fulfilled', value: '{"id":"5"}' },
  ])
  expect(call).toHaveBeenCalledTimes(1)
})

test('a grant that stays refused rejects only its viewer', async () => {
  const { renderer } = setUp(new Map([...['1', '2'].map((one) => [one, `grant of ${one}`] as const), ['3', 'expired']]))
  const results = await Promise.allSettled(['1', '2', '3'].map((viewer) => renderer.batched('5', viewer)))
  expect(results.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  const { texts, lost } = await renderer.status('5', 'public', ['1', '2', '3'])
  expect([[...texts.keys()], [...lost]]).toEqual([['1', '2'], ['3']])
})
