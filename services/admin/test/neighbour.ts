/** What the stand-ins share: they note what they are asked, and may be away. */
import { fail } from '@murmuration/contracts/kit'
import { type App, type BaseContext, doors, type OperationDoor, service } from '@murmuration/kernel'
import type { World } from './world.js'

export const { handle } = doors<BaseContext>()

const noted = (world: World, door: OperationDoor): OperationDoor => ({
  ...door,
  run: (ctx, viewer, input, request) => {
    const { name } = door.operation
    world.asked.push({ operation: name, input })
    if (world.away.has(name)) throw fail('unavailable', 'Away')
    return door.run(ctx, viewer, input, request)
  },
})

/** A service without data that answers these operations. */
export const neighbour = (name: string, world: World, operations: OperationDoor[]): App => ({
  manifest: service(name, {
    operations: operations.map((door) => noted(world, door)),
    database: false,
    roles: { api: { operations: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
