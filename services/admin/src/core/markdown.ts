/** Markdown of staff as HTML: raw HTML is shown as text, pictures are left out, links get `nofollow`. */
import { createHash } from 'node:crypto'
import MarkdownIt from 'markdown-it'

export interface Markdown {
  /** HTML of a Markdown text; the last results are cached. */
  html(text: string): string
}

const REMEMBERED = 16

export const createMarkdown = (): Markdown => {
  const markdown = new MarkdownIt({ html: false, linkify: true })
  markdown.renderer.rules.image = () => ''
  markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet('rel', 'nofollow noopener')
    tokens[index]?.attrSet('target', '_blank')
    return renderer.renderToken(tokens, index, options)
  }
  const remembered = new Map<string, string>()
  return {
    html(text) {
      const key = createHash('sha256').update(text).digest('base64')
      const known = remembered.get(key)
      if (known !== undefined) return known
      const made = markdown.render(text)
      if (remembered.size >= REMEMBERED) remembered.clear()
      remembered.set(key, made)
      return made
    },
  }
}
