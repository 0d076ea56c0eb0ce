/** Generates the reference page of settings: environment variables and settings of staff, with their defaults. */

import { SETTING_TOPICS, ServerSettings } from '@murmuration/contracts/admin'
import { type App, commonSettings, type Settings } from '@murmuration/kernel'
import { type Message, translate } from '@murmuration/messages'
import { listFiles } from '../rules/files.js'

const table = (settings: Settings): string =>
  Object.values(settings)
    .map(
      (one) =>
        `| \`${one.env}\` | ${one.fallback === undefined ? '(needed)' : one.fallback === '' ? '' : `\`${one.fallback}\``} | ${one.secret ? 'secret; ' : ''}${one.about.replaceAll('|', '\\|')} |`,
    )
    .join('\n')

/** Settings that config.ts of a service declares; empty if the service has no such file. */
export const settingsOf = async (service: string): Promise<Settings> => {
  const path = `services/${service}/src/config.ts`
  if (!listFiles(path).length) return {}
  return ((await import(`../../${path}`)) as { settings?: Settings }).settings ?? {}
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const english = (message: Message): string => translate('en', message)

/** Markdown tables of the settings that staff changes, by topic. */
const staffSettings = (): string => {
  const defaults: Readonly<Record<string, unknown>> = ServerSettings.parse({})
  return SETTING_TOPICS.map(({ title, settings }) => {
    const rows = Object.entries(settings).map(([name, text]) => {
      const choices =
        text.kind === 'choice'
          ? ` (${Object.entries(text.choices)
              .map(([key, label]) => `\`${key}\`: ${english(label)}`)
              .join('; ')})`
          : ''
      return `| \`${name}\` | \`${JSON.stringify(defaults[name])}\` | ${cell(`${english(text.title)}${choices}`)} | ${cell(english(text.help))} |`
    })
    return `### ${english(title)}\n\n| Name | Default | Title | Explanation |\n|---|---|---|---|\n${rows.join('\n')}\n`
  }).join('\n')
}

export const settingsPage = async (apps: readonly App[]): Promise<string> => {
  const sections = await Promise.all(
    apps.map(async ({ manifest }) => {
      const settings = await settingsOf(manifest.service)
      return Object.keys(settings).length
        ? `## ${manifest.service}\n\n| Variable | Default | What |\n|---|---|---|\n${table(settings)}\n`
        : ''
    }),
  )
  return `<!-- Written by npm run gen from each config.ts, and from packages/contracts/src/admin/setting-text.ts. -->
# Settings

## Every process

| Variable | Default | What |
|---|---|---|
${table(commonSettings)}

${sections.filter(Boolean).sort().join('\n')}
## Settings that staff changes

Change them below \`/admin/settings\`, by [API](../how-to/administer-by-api.md), or with \`bin/ctl setting set NAME VALUE\`.
They are in force at once.

${staffSettings()}`
}
