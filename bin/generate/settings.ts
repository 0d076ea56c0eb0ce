/** The reference page of settings: every variable an operator may set, with its default. */
import { type App, commonSettings, type Settings } from '@murmuration/kernel'
import { listFiles } from '../rules/files.js'

const table = (settings: Settings): string =>
  Object.values(settings)
    .map(
      (one) =>
        `| \`${one.env}\` | ${one.fallback === undefined ? '(needed)' : one.fallback === '' ? '' : `\`${one.fallback}\``} | ${one.secret ? 'secret; ' : ''}${one.about.replaceAll('|', '\\|')} |`,
    )
    .join('\n')

/** The settings in config.ts of a service; empty without one. */
export const settingsOf = async (service: string): Promise<Settings> => {
  const path = `services/${service}/src/config.ts`
  if (!listFiles(path).length) return {}
  return ((await import(`../../${path}`)) as { settings?: Settings }).settings ?? {}
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
  return `<!-- Written by npm run gen from each config.ts. -->
# Settings

## Every process

| Variable | Default | What |
|---|---|---|
${table(commonSettings)}

${sections.filter(Boolean).sort().join('\n')}`
}
