/** Commands about relays: which there are, and taking part in them or not. */
import {
  type Relay,
  relayAdd,
  relayDisable,
  relayEnable,
  relayList,
  relayRemove,
} from '@murmuration/contracts/federation'
import { type Command, needed } from './command.js'
import type { Operator } from './operator.js'

const line = (one: Relay): string => `${one.url.padEnd(48)} ${one.style.padEnd(5)} ${one.state}`

const change = (
  verb: string,
  operation: typeof relayAdd | typeof relayEnable | typeof relayDisable | typeof relayRemove,
  about: string,
): Command => ({
  name: `relay ${verb}`,
  usage: `relay ${verb} URL`,
  about,
  async run(operator: Operator, [url]) {
    const relay = await operator.ask(operation, { url: needed(url, 'URL') })
    return { data: relay, text: line(relay) }
  },
})

export const relayCommands: Command[] = [
  {
    name: 'relay list',
    usage: 'relay list',
    about: 'every relay: its address, how it is spoken to, and whether it lets us take part',
    async run(operator) {
      const { relays } = await operator.ask(relayList, {})
      return { data: relays, text: relays.length ? relays.map(line).join('\n') : 'none' }
    },
  },
  change('add', relayAdd, 'adds a relay by its inbox or its actor, and asks it to take part'),
  change('enable', relayEnable, 'asks a relay again to take part'),
  change('disable', relayDisable, 'takes part in a relay no longer, and keeps it for later'),
  change('remove', relayRemove, 'takes part in a relay no longer, and forgets it'),
]
