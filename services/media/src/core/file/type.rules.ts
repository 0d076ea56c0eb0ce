/** Determines the type of a file by its first bytes. The type that a client declares is ignored. */

export type Kind = 'image' | 'video' | 'audio'

/** A file type that this server can read. */
export interface FileType {
  readonly mediaType: string
  readonly kind: Kind
  /** Name of the ffmpeg demuxer; null for still pictures. */
  readonly demuxer: string | null
}

/** Number of bytes from the beginning of a file that `fileTypeOf` needs. */
export const HEAD_BYTES = 4_096

const image = (mediaType: string, demuxer: string | null = null): FileType => ({ mediaType, kind: 'image', demuxer })
const video = (mediaType: string, demuxer: string): FileType => ({ mediaType, kind: 'video', demuxer })
const audio = (mediaType: string, demuxer: string): FileType => ({ mediaType, kind: 'audio', demuxer })

const ascii = (head: Buffer, at: number, text: string): boolean =>
  head.length >= at + text.length && head.toString('latin1', at, at + text.length) === text
const bytes = (head: Buffer, ...expected: number[]): boolean => expected.every((byte, at) => head[at] === byte)

const HEIF = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']

/** Type of an ISO base media file, by its brands. */
const isoMedia = (head: Buffer): FileType | null => {
  if (!ascii(head, 4, 'ftyp'))
    return ['moov', 'mdat', 'wide', 'skip', 'free'].some((box) => ascii(head, 4, box))
      ? video('video/quicktime', 'mov')
      : null
  const end = Math.min(head.readUInt32BE(0), head.length, 256)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  const [major = ''] = brands
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return image('image/avif')
  if (HEIF.includes(major)) return image(major.startsWith('he') ? 'image/heic' : 'image/heif')
  if (major === 'qt  ') return video('video/quicktime', 'mov')
  if (/^M4[AB]/.test(major)) return audio('audio/mp4', 'mov')
  if (/^(isom|iso\d|mp4\d|avc1|dash|MSNV|M4V|3g[p2]|f4v|mmp4|NDS)/.test(major)) return video('video/mp4', 'mov')
  return null
}

const riff = (head: Buffer): FileType | null => {
  if (ascii(head, 8, 'WEBP')) return image('image/webp')
  if (ascii(head, 8, 'WAVE')) return audio('audio/wav', 'wav')
  return null
}

/** Type of an Ogg file. An Ogg file names its codec in the first packet, which the first page contains completely. */
const ogg = (head: Buffer): FileType =>
  head.subarray(0, 512).includes('\x80theora', 0, 'latin1') ? video('video/ogg', 'ogg') : audio('audio/ogg', 'ogg')

/** Whether the bytes are an MPEG audio frame: sync word, then valid version, layer and bit rate. */
const isMpegAudio = (head: Buffer): boolean =>
  head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2 && ((head[2] ?? 0xf0) & 0xf0) !== 0xf0 && head.length > 100

const ASF = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')

/** Type of the file that begins with these bytes; null if this server does not read it. */
export const fileTypeOf = (head: Buffer): FileType | null => {
  if (head.length < 12) return null
  if (bytes(head, 0xff, 0xd8, 0xff)) return image('image/jpeg')
  if (bytes(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return image('image/png')
  if (ascii(head, 0, 'GIF87a') || ascii(head, 0, 'GIF89a')) return image('image/gif', 'gif')
  if (ascii(head, 0, 'RIFF')) return riff(head)
  if (bytes(head, 0x1a, 0x45, 0xdf, 0xa3))
    return head.subarray(0, 64).includes('webm', 0, 'latin1') ? video('video/webm', 'matroska') : null
  if (ascii(head, 0, 'OggS')) return ogg(head)
  if (ascii(head, 0, 'fLaC')) return audio('audio/flac', 'flac')
  if (ascii(head, 0, 'ID3')) return audio('audio/mpeg', 'mp3')
  if (head.subarray(0, 16).equals(ASF)) return audio('video/x-ms-asf', 'asf')
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return audio('audio/aac', 'aac')
  if (isMpegAudio(head)) return audio('audio/mpeg', 'mp3')
  return isoMedia(head)
}
