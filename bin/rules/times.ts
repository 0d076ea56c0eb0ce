/** Checks that texts are read as times by `readTime` only, because `Date.parse` and `new Date` use the zone of the machine. */
import { type Problem, type SourceFile, sources } from './files.js'

/** Files that pass only forms with a zone to `Date.parse`, and the harness of tests. */
const READERS =
  /^packages\/(?:text\/src\/read-time|activitypub\/src\/(?:vocabulary\/time|signatures\/window)|testkit\/.*)\.ts$/
/** `Date.parse` of anything but a template that ends with `Z`, and `new Date` of a name that stands for a text. */
const LOCAL =
  /\bDate\.parse\((?!`[^`]*Z`\))|\bnew Date\((?:text|given|typed|iso|`[^`]*(?<!Z)`|\w+\.(?:trim|replace)\()/g

/** Problems of one file: places that read a text as a time in the zone of the machine. */
export const localTimes = ({ path, text }: SourceFile): Problem[] =>
  READERS.test(path) || /\.test\.ts$|\/test\//.test(path)
    ? []
    : [...text.matchAll(LOCAL)].map(([found]) => `${path}: ${found}…) uses the zone of the machine: call readTime`)

export const timeRules = (): Problem[] =>
  sources('packages/*/src/*.ts', 'services/*/src/*.ts', 'bin/*.ts')
    .filter((file) => !file.path.startsWith('bin/rules/'))
    .flatMap(localTimes)
