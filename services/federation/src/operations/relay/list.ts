/** Every relay. */
import { relayList } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { allRelays } from '../../store/relay.js'
import { relayOf } from '../../views/relay.js'

export const list = handle(relayList, async (ctx) => ({ relays: (await allRelays(ctx.db)).map(relayOf) }))
