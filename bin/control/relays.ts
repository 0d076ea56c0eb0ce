/** Commands for relays. */
import {
  addRelay,
  disableRelay,
  enableRelay,
  listRelays,
  type Relay,
  removeRelay,
} from '@murmuration/contracts/federation'
import { type Commands, DRY_RUN, NONE, removeOrReport } from './result.js'

const line = (one: Relay): string => `${one.url.padEnd(48)} ${one.style.padEnd(5)} ${one.state}`

export const addRelayCommands = ({ group, run }: Commands): void => {
  const relay = group('relay', 'Relays that this server subscribes to.')
  relay
    .command('list')
    .description('List relays with their protocol and state.')
    .action(
      run(async (operator) => {
        const { relays } = await operator.call(listRelays, {})
        return { data: relays, text: relays.map(line).join('\n') || NONE }
      }),
    )
  const changes = [
    ['add', addRelay, 'Add a relay by its inbox or actor, and subscribe to it.'],
    ['enable', enableRelay, 'Subscribe to a relay again.'],
    ['disable', disableRelay, 'Unsubscribe from a relay, and keep it for later.'],
  ] as const
  for (const [verb, operation, about] of changes)
    relay
      .command(`${verb} <url>`)
      .description(about)
      .action(
        run(async (operator, url) => {
          const changed = await operator.call(operation, { url })
          return { data: changed, text: line(changed) }
        }),
      )
  relay
    .command('remove <url>')
    .description('Unsubscribe from a relay, and remove it.')
    .option(...DRY_RUN)
    .action(
      run(async (operator, url, flags) =>
        removeOrReport(
          flags,
          async () =>
            (await operator.call(listRelays, {})).relays.filter((one) => one.url === url).map(line)[0] ?? null,
          () => operator.call(removeRelay, { url }),
        ),
      ),
    )
}
