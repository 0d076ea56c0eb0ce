/**
 * Checks that the files, folders and headings exist that documents name, and the documents that comments name.
 * Decisions and the changelog are not checked, because they describe the past.
 */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listFiles, type Problem, read, root, type SourceFile, sources } from './files.js'

/** Matches a path in backticks with at least one slash: a file with an extension, or a folder with a slash at its end. */
const PATH = /`((?:[\w@.-]+\/)+(?:[\w@.-]+\.(?:ts|mjs|md|sql|json|yaml|sh))?)`/g
/** Matches the name of a document in a line of a comment. */
const NAMED = /^\s*(?:\/?\*|\/\/|#|--).*?(?<![\w./-])([\w./-]+\.md)\b/gm
const LINK = /\]\(([^)\s]+)\)/g
/** Matches placeholders in a path, which stand for names, such as `changes/next/SLUG.KIND.md`. */
const PLACEHOLDER = /(^|\/|\.)[A-Z]{2,}[a-zN_]*(\/|\.|$)|NNNN/

const headingsOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/**
 * Paths of all files and folders, and all suffixes of these paths, such as `src/home/` and `home/store.ts`. Paths of
 * folders end with a slash.
 */
const namesOf = (paths: readonly string[]): Set<string> => {
  const names = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 1; to <= parts.length; to++)
        names.add(parts.slice(from, to).join('/') + (to === parts.length ? '' : '/'))
  }
  return names
}

const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/^(?: {4}|\t).*$/gm, '')

/**
 * Problems of paths in documents that do not exist. A suffix of an existing path is accepted. In the README of a
 * service, it must be the suffix of a file of that service. Generated data such as `.data/` are not checked.
 */
const checkPaths = (file: SourceFile, all: readonly string[], everywhere: ReadonlySet<string>): Problem[] => {
  const [own] = /^services\/[^/]+\//.exec(file.path) ?? []
  const names = own === undefined ? everywhere : namesOf(all.filter((path) => path.startsWith(own)))
  return [...withoutBlocks(file.text).matchAll(PATH)].flatMap(([, path = '']) =>
    PLACEHOLDER.test(path) || path.startsWith('.data/') || names.has(path) || existsSync(join(root, path))
      ? []
      : [`${file.path} names ${path}, which does not exist`],
  )
}

const checkLinks = (file: SourceFile): Problem[] =>
  [...withoutBlocks(file.text).matchAll(LINK)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', heading] = target.split('#')
    const to = path === '' ? file.path : posix.join(posix.dirname(file.path), path)
    if (!existsSync(join(root, to))) return [`${file.path} links to ${target}, which does not exist`]
    return heading === undefined || !to.endsWith('.md') || headingsOf(read(to)).has(heading)
      ? []
      : [`${file.path} links to ${target}, a heading that does not exist`]
  })

const checkComments = (file: SourceFile, everywhere: ReadonlySet<string>): Problem[] =>
  [...file.text.matchAll(NAMED)].flatMap(([, name = '']) =>
    PLACEHOLDER.test(name) || everywhere.has(name)
      ? []
      : [`${file.path} names ${name} in a comment, which does not exist`],
  )

/** Whether the paths and links in a document are checked. */
const isCurrent = (path: string): boolean => !/^(docs\/adr\/|CHANGELOG|changes\/)/.test(path)

export const documentRules = (): Problem[] => {
  const all = listFiles('*')
  const everywhere = namesOf(all)
  return [
    ...sources('*.md')
      .filter((file) => isCurrent(file.path))
      .flatMap((file) => [...checkPaths(file, all, everywhere), ...checkLinks(file)]),
    ...sources('*.ts', '*.mjs', '*.sql', '*.sh', '*.yaml').flatMap((file) => checkComments(file, everywhere)),
  ]
}
