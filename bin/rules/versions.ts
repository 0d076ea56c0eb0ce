/** Checks that all packages and the chart have the version of the root `package.json`. */
import { type Problem, read, sources } from './files.js'

export const versionRules = (): Problem[] => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const packages = sources(
    'packages/*/package.json',
    'services/*/package.json',
    'e2e/package.json',
    'bench/package.json',
  )
  const others = packages.filter(({ text }) => (JSON.parse(text) as { version?: string }).version !== version)
  const chart = 'helm/murmuration/Chart.yaml'
  const ofChart = /^appVersion: "(.*)"$/m.exec(read(chart))?.[1]
  return [...others.map(({ path }) => path), ...(ofChart === version ? [] : [chart])].map(
    (path) => `${path} has another version than package.json: write ${version}`,
  )
}
