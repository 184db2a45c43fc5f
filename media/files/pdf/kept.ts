/** A kind of dictionary, or of stream. */
type Dictionary =
  | 'page'
  | 'group'
  | 'form'
  | 'image'
  | 'pattern'
  | 'shading'
  | 'function'
  | 'graphicsState'
  | 'softMask'
  | 'font'
  | 'fontDescriptor'
  | 'fontProgram'
  | 'encoding'
  | 'characterMap'
  | 'characterCollection'
  | 'glyphNumbers'
  | 'colourProfile'
  | 'calibration'
  | 'palette'
  | 'parameters'
  | 'symbols';

/** The way in which a value is copied: numbers, names and lists of them; a text; a name or a list that begins with one; or by its keys. */
export type Kind = 'value' | 'text' | 'colourSpace' | Dictionary;

const keys = (kind: Kind, list: string): Record<string, Kind> =>
  Object.fromEntries(list.split(' ').map((key) => [key, kind]));

/**
 * What is kept of each kind of dictionary that a page is drawn with. Whatever is not named here is not in the new document.
 * The programs of fonts and colour profiles are kept whole, with the texts of those who made them.
 */
export const KEPT: Record<Dictionary, Record<string, Kind>> = {
  page: {
    ...keys('value', 'MediaBox TrimBox BleedBox ArtBox Rotate UserUnit'),
    Group: 'group',
  },
  group: { ...keys('value', 'Type S I K'), CS: 'colourSpace' },
  form: { ...keys('value', 'Type Subtype FormType BBox Matrix'), Group: 'group' },
  image: {
    ...keys(
      'value',
      'Type Subtype Width Height BitsPerComponent Intent ImageMask Decode Interpolate SMaskInData Matte',
    ),
    ColorSpace: 'colourSpace',
    Mask: 'image',
    SMask: 'image',
  },
  pattern: {
    ...keys('value', 'Type PatternType PaintType TilingType BBox XStep YStep Matrix'),
    Shading: 'shading',
    ExtGState: 'graphicsState',
  },
  shading: {
    ...keys(
      'value',
      'ShadingType Background BBox AntiAlias Domain Matrix Coords Extend BitsPerCoordinate BitsPerComponent BitsPerFlag Decode VerticesPerRow',
    ),
    ColorSpace: 'colourSpace',
    Function: 'function',
  },
  function: {
    ...keys('value', 'FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds'),
    Functions: 'function',
  },
  graphicsState: {
    ...keys('value', 'Type LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK'),
    ...keys('function', 'BG BG2 UCR UCR2 TR TR2'),
    Font: 'font',
    SMask: 'softMask',
  },
  softMask: { ...keys('value', 'Type S BC'), G: 'form', TR: 'function' },
  font: {
    ...keys('value', 'Type Subtype BaseFont FirstChar LastChar Widths FontBBox FontMatrix W W2 DW DW2'),
    FontDescriptor: 'fontDescriptor',
    Encoding: 'encoding',
    ToUnicode: 'characterMap',
    DescendantFonts: 'font',
    CIDSystemInfo: 'characterCollection',
    CIDToGIDMap: 'glyphNumbers',
  },
  fontDescriptor: {
    ...keys(
      'value',
      'Type FontName FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth',
    ),
    ...keys('fontProgram', 'FontFile FontFile2 FontFile3'),
  },
  fontProgram: keys('value', 'Subtype Length1 Length2 Length3'),
  encoding: {
    ...keys('value', 'Type BaseEncoding Differences CMapName WMode'),
    CIDSystemInfo: 'characterCollection',
    UseCMap: 'characterMap',
  },
  characterMap: {
    ...keys('value', 'Type CMapName WMode'),
    CIDSystemInfo: 'characterCollection',
    UseCMap: 'characterMap',
  },
  characterCollection: { ...keys('text', 'Registry Ordering'), Supplement: 'value' },
  glyphNumbers: {},
  colourProfile: keys('value', 'N Range'),
  calibration: keys('value', 'WhitePoint BlackPoint Gamma Matrix Range'),
  palette: {},
  parameters: {
    ...keys(
      'value',
      'Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform',
    ),
    JBIG2Globals: 'symbols',
  },
  symbols: {},
};

/** What follows the name in the list of a colour space. Attributes of inks are not drawn. */
export const COLOUR_SPACES: Record<string, Kind[]> = {
  CalGray: ['calibration'],
  CalRGB: ['calibration'],
  Lab: ['calibration'],
  ICCBased: ['colourProfile'],
  Indexed: ['colourSpace', 'value', 'palette'],
  Pattern: ['colourSpace'],
  Separation: ['value', 'colourSpace', 'function'],
  DeviceN: ['value', 'colourSpace', 'function'],
  DeviceGray: [],
  DeviceRGB: [],
  DeviceCMYK: [],
};

/** The kind of each resource, by the category that names it. */
export const RESOURCES: Record<string, Kind> = {
  ExtGState: 'graphicsState',
  ColorSpace: 'colourSpace',
  Pattern: 'pattern',
  Shading: 'shading',
  Font: 'font',
};
