/** The reference page of events: who announces, who listens, why. */
import { allEvents } from '@murmuration/contracts/registry'
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
      .filter(({ manifest }) => manifest.reactions.some((door) => door.event.name === event.name))
      .map(({ manifest }) => manifest.service)
    return `| \`${event.name}\` | ${event.about} | ${listeners.join(', ') || '–'} |`
  })
  .join('\n')}
`
