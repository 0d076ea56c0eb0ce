/** Shared parts of the fake services: they record requests, and can be unavailable. */
import { fail } from '@murmuration/contracts/kit'
import { type App, type BaseContext, handlersFor, type OperationEntry, service } from '@murmuration/kernel'
import type { Fixtures } from './fixtures.js'

export const { handle } = handlersFor<BaseContext>()

const recorded = (fixtures: Fixtures, entry: OperationEntry): OperationEntry => ({
  ...entry,
  run: (ctx, viewer, input, request) => {
    const { name } = entry.operation
    fixtures.asked.push({ operation: name, input })
    if (fixtures.away.has(name)) throw fail('unavailable', 'Away')
    return entry.run(ctx, viewer, input, request)
  },
})

/** Creates a fake service with these operations. */
export const fakeService = (name: string, fixtures: Fixtures, operations: OperationEntry[]): App => ({
  manifest: service(name, {
    operations: operations.map((entry) => recorded(fixtures, entry)),
    database: false,
    roles: { api: { operations: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
