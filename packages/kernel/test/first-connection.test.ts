/** A process opens a database connection before it takes requests, so that the first ones do not wait for it. */
import { internal, operation } from '@murmuration/contracts/kit'
import { startCluster } from '@murmuration/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, service } from '../src/index.js'

const say = operation('media.word.say', {
  viewer: internal(),
  class: 'read',
  input: z.object({}),
  output: z.object({}),
  about: 'Says a word.',
})
const { handle } = handlersFor<BaseContext>()
const app: App = {
  manifest: service('media', {
    operations: [handle(say, async () => ({}))],
    roles: { api: { operations: true, scales: 'requests', needs: [] } },
  }),
  createContext: (base) => base,
}

test('a role that only serves requests has a database connection when it starts to serve them', async () => {
  const cluster = await startCluster({ apps: [app] })
  try {
    expect(cluster.host.running[0]?.ctx.db.load()).toMatchObject({ total: 1, idle: 1 })
  } finally {
    await cluster.stop()
  }
})
