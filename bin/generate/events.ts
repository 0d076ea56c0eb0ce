/**
 * Generates the reference page of events with the services that react to them, and of messages for open streaming
 * connections.
 */
import { allEvents, allLive } from '@murmuration/contracts/registry'
import type { App } from '@murmuration/kernel'

export const eventsPage = (
  apps: readonly App[],
): string => `<!-- Written by npm run gen from packages/contracts and the manifests. -->
# Events

| Event | What | Listeners |
|---|---|---|
${allEvents()
  .map((event) => {
    const listeners = apps
      .filter(({ manifest }) => manifest.reactions.some((entry) => entry.event.name === event.name))
      .map(({ manifest }) => manifest.service)
    return `| \`${event.name}\` | ${event.about} | ${listeners.join(', ') || '–'} |`
  })
  .join('\n')}

## For open connections

Lossy messages with ids, for clients that are connected. Streaming subscribes to all of these subjects.

| Subject | Contents | Published by |
|---|---|---|
${allLive()
  .map((live) => {
    const publishers = apps
      .filter(({ manifest }) => manifest.live.some((one) => one.surface === live.surface))
      .map(({ manifest }) => manifest.service)
    return `| \`live.${live.surface}.*\` | ${live.about} | ${publishers.join(', ') || '–'} |`
  })
  .join('\n')}
`
