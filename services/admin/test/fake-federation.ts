/** A fake federation service that announces reports of other servers on request of a test. */
import { flagReceived } from '@murmuration/contracts/federation'
import { internal, operation } from '@murmuration/contracts/kit'
import { type App, service } from '@murmuration/kernel'
import { z } from 'zod'
import { handle } from './fake-service.js'

export const announceFlag = operation('federation.flag.tell', {
  viewer: internal(),
  class: 'write',
  input: z.object({ flag: flagReceived.data }),
  output: z.object({}),
  about: 'Announces a report of another server.',
})

export const federationApp = (): App => ({
  manifest: service('federation', {
    operations: [
      handle(announceFlag, async (ctx, _viewer, { flag }) => {
        await ctx.db.tx((tx) => ctx.announce(tx, flagReceived, flag))
        return {}
      }),
    ],
    announces: [flagReceived],
    roles: { api: { operations: true, ticks: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
