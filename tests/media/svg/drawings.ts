/** Drawings as the programs named write them, invented for these tests. */

const root = (attributes: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" ${attributes}>${content}</svg>`;
/** A sheet of 100 by 60 mm in millimetres. */
export const sheet = (content: string) => root('width="100mm" height="60mm" viewBox="0 0 100 60"', content);
/** A red square with a clear edge, as a PNG of 16 pixels. */
export const PIXELS =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAFElEQVQImWP4jwYYICQDBOMWQAIAaT03yWlfbvkAAAAASUVORK5CYII=';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n';
const SOCKET = 'M10 50C10 20 25 8 50 8S90 20 90 50Z';

const illustrator = (content: string) =>
  `<?xml version="1.0" encoding="utf-8"?><!-- Generator: Adobe Illustrator 27.0 --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
	<!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
	<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
	<!ENTITY ns_svg "http://www.w3.org/2000/svg">
]><svg version="1.1" xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" xmlns="&ns_svg;" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px" width="283.46px" height="170.08px" viewBox="0 0 283.46 170.08" style="enable-background:new 0 0 283.46 170.08;" xml:space="preserve"><switch><foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1"><i:pgfRef xlink:href="#adobe_illustrator_pgf"></i:pgfRef></foreignObject><g i:extraneous="self">${content}</g></switch><i:pgf id="adobe_illustrator_pgf">eJzsvWmT</i:pgf></svg>`;

/** What is drawn the same as it came, but for its letters. */
export const drawings: Record<string, string | Uint8Array> = {
  'no viewBox, pixels': root(
    'width="400" height="200"',
    '<rect x="10" y="10" width="380" height="180" fill="none" stroke="black" stroke-width="4"/><circle cx="300" cy="100" r="60" fill="teal"/>',
  ),
  'no viewBox, millimetres': root(
    'width="100mm" height="60mm"',
    '<rect x="10mm" y="1cm" width="50%" height="1in" fill="none" stroke="red" stroke-width="1pt"/><circle cx="2in" cy="36pt" r="1pc"/>',
  ),
  'no viewBox, points': root(
    'width="283.46pt" height="170.08pt"',
    '<path d="M20 20H300V200H20Z" fill="none" stroke="blue" stroke-width="3"/>',
  ),
  'no viewBox, inches': root(
    'width="4in" height="2in"',
    '<ellipse cx="192" cy="96" rx="150" ry="60" fill="#888"/>',
  ),
  'one edge only': root('width="100mm" viewBox="0 0 100 60"', `<path d="${SOCKET}"/>`),
  'no edge': root('viewBox="0 0 100 60"', `<path d="${SOCKET}"/>`),
  'per cent': root('width="100%" height="100%" viewBox="0 0 100 60"', `<path d="${SOCKET}"/>`),
  'viewBox with an origin, stretched': root(
    'width="100mm" height="60mm" viewBox="-50,-30 200 60" preserveAspectRatio="none"',
    '<rect x="-45" y="-25" width="190" height="50" fill="none" stroke="#000" stroke-width="4"/>',
  ),
  'viewBox cut to fill': root(
    'width="100mm" height="60mm" viewBox="0 0 100 100" preserveAspectRatio="xMinYMax slice"',
    '<circle cx="50" cy="50" r="45" fill="none" stroke="#000" stroke-width="4"/>',
  ),
  CadQuery: `${XML}<svg xmlns:svg="http://www.w3.org/2000/svg" xmlns="http://www.w3.org/2000/svg" width="800.0" height="240.0"><g transform="scale(6.5, -6.5) translate(11.5,-18.5)" stroke-width="0.15" fill="none"><g stroke="rgb(160, 160, 160)" fill="none" stroke-dasharray="0.3,0.3"><path d="M0,0 L50,0 "/></g><g stroke="rgb(0, 0, 0)" fill="none"><path d="M0,-10 L50,-10 L50,10 L0,10 Z"/></g></g><g transform="translate(20,200)" stroke="rgb(0,0,255)"><line x1="30" y1="-30" x2="75" y2="-33" stroke-width="3" stroke="#000000"/></g></svg>`,
  OpenSCAD: `<?xml version="1.0" standalone="no"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg width="40mm" height="30mm" viewBox="0 -30 40 30" xmlns="http://www.w3.org/2000/svg" version="1.1"><title>OpenSCAD Model</title><path d="M 0,-0 L 40,-0 L 40,-30 L 0,-30 z M 10,-5 L 10,-20 L 30,-20 L 30,-5 z " stroke="black" fill="lightgray" stroke-width="0.5" fill-rule="evenodd"/></svg>`,
  FreeCAD: `${XML}<svg xmlns="http://www.w3.org/2000/svg" xmlns:freecad="https://www.freecad.org/wiki/index.php?title=Svg_Namespace" width="100mm" height="60mm" viewBox="0 0 100 60" version="1.1"><g id="Sketch001" transform="translate(10.0,50.0) scale(1,-1)" freecad:label="Bracket"><path id="Sketch001_w0000" d="M 0.0 0.0 L 60.0 0.0 L 60.0 30.0 A 15.0 15.0 0 0 1 30.0 30.0 L 0 30 Z " stroke="#000000" stroke-width="0.35 px" style="stroke-width:0.35;stroke-miterlimit:4;stroke-dasharray:none;fill:none;fill-opacity:1.0;fill-rule: evenodd"/><circle cx="15" cy="15" r="3" stroke="#000000" style="stroke-width:0.35;fill:none"/></g></svg>`,
  'Inkscape with layers': `${XML}${root('width="100mm" height="60mm" viewBox="0 0 100 60" sodipodi:docname="cuff.svg" inkscape:version="1.3"', '<sodipodi:namedview id="base" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview><metadata><x/></metadata><g inkscape:groupmode="layer" id="layer1" inkscape:label="Cut"><path style="font-variation-settings:normal;opacity:1;vector-effect:none;fill:none;stroke:#ff0000;stroke-width:0.5;stroke-linecap:butt;-inkscape-stroke:none;stop-color:#000000" d="m 10,10 h 80 v 40 h -80 z" sodipodi:nodetypes="ccccc"/></g><g inkscape:groupmode="layer" transform="translate(5,5) rotate(10 50 30) skewX(10)"><rect x="30" y="20" width="30" height="10" ry="3" style="fill:#0000ff;fill-opacity:0.4"/></g>')}`,
  'Inkscape arrowheads': sheet(
    '<defs><marker style="overflow:visible" id="Triangle" refX="0" refY="0" orient="auto-start-reverse" markerWidth="5" markerHeight="5" viewBox="0 0 5.3 6.1" preserveAspectRatio="xMidYMid"><path transform="scale(0.5)" style="fill:#000;fill-rule:evenodd;stroke:#000;stroke-width:1pt" d="M 5.77,0 -2.88,5 V -5 Z"/></marker></defs><path style="fill:none;stroke:#000;stroke-width:1;marker-start:url(#Triangle);marker-end:url(#Triangle)" d="M 20,30 H 80"/>',
  ),
  'Inkscape arrowheads in the colour of the line': sheet(
    '<defs><marker style="overflow:visible" id="Arrow1" refX="0" refY="0" orient="auto-start-reverse" markerWidth="3" markerHeight="3" viewBox="0 0 1 1" preserveAspectRatio="xMidYMid"><path style="fill:none;stroke:context-stroke;stroke-width:1;stroke-linecap:butt" d="M 3,-3 0,0 3,3" transform="rotate(180,0.125,0)"/></marker></defs><path style="fill:none;stroke:#e00000;stroke-width:1;marker-start:url(#Arrow1);marker-end:url(#Arrow1)" d="M 20,20 H 80"/><g stroke="#00f" fill="none"><path marker-end="url(#Arrow1)" d="M 20,45 H 80"/></g>',
  ),
  'markers on corners': sheet(
    '<marker id="dot" markerWidth="4" markerHeight="4" refX="2" refY="2" markerUnits="userSpaceOnUse"><circle cx="2" cy="2" r="2" fill="red"/></marker><polyline points="10,10 50,50 90,10" fill="none" stroke="#000" marker-mid="url(#dot)" marker-start="url(\'#dot\')"/>',
  ),
  Illustrator: illustrator(
    '<style type="text/css">.st0{fill:none;stroke:#E30613;stroke-width:2;stroke-miterlimit:10;} .st1{fill:#1D1D1B;}</style><g id="Cut_x5F_Lines"><path class="st0" d="M20,20h240v130H20V20z"/></g><circle class="st1" cx="140" cy="85" r="30"/>',
  ),
  'Illustrator clipped': illustrator(
    '<style type="text/css"><![CDATA[.st2{clip-path:url(#SVGID_00000_);} .st3{opacity:0.5;fill:#0095DB;}]]></style><g><defs><rect id="SVGID_1_" x="40" y="30" width="120" height="90"/></defs><clipPath id="SVGID_00000_"><use xlink:href="#SVGID_1_" style="overflow:visible;"/></clipPath><g class="st2"><circle class="st3" cx="160" cy="80" r="70"/></g></g>',
  ),
  CorelDRAW: `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- Creator: CorelDRAW 2021 --><svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="3.93701in" height="2.3622in" version="1.1" style="shape-rendering:geometricPrecision; text-rendering:geometricPrecision; image-rendering:optimizeQuality; fill-rule:evenodd; clip-rule:evenodd" viewBox="0 0 3937.01 2362.2"><defs><style type="text/css"><![CDATA[
    .str0 {stroke:#2B2A29;stroke-width:39.37;stroke-miterlimit:22.9256}
    .fil0 {fill:none}
   ]]></style></defs><g id="Ebene_x0020_1"><metadata id="CorelCorpID_0Corel-Layer"/><path class="fil0 str0" d="M393.7 393.7l3149.6 0 0 1574.8 -3149.6 0 0 -1574.8z"/></g></svg>`,
  Affinity: `<?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg width="100%" height="100%" viewBox="0 0 1182 709" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xml:space="preserve" xmlns:serif="http://www.serif.com/" style="fill-rule:evenodd;clip-rule:evenodd;stroke-linecap:round;stroke-linejoin:round;stroke-miterlimit:1.5;"><g transform="matrix(1,0,0,1,-50,20)"><g id="Layer1" serif:id="Layer 1"><rect x="150" y="80" width="900" height="500" style="fill:url(#_Linear1);stroke:black;stroke-width:12px;"/></g></g><defs><linearGradient id="_Linear1" x1="0" y1="0" x2="1" y2="0" gradientUnits="userSpaceOnUse" gradientTransform="matrix(900,0,0,500,150,330)"><stop offset="0" style="stop-color:rgb(255,255,0);stop-opacity:1"/><stop offset="1" style="stop-color:rgb(0,128,255);stop-opacity:0.5"/></linearGradient></defs></svg>`,
  Figma: `<svg width="378" height="227" viewBox="0 0 378 227" fill="none" xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#clip0_12:34)"><rect width="378" height="227" fill="white"/><mask id="path-1-inside-1" fill="white"><path d="M40 40h200v100H40z"/></mask><path d="M40 40h200v100H40z" fill="#D9D9D9" stroke="black" stroke-width="12" mask="url(#path-1-inside-1)"/><circle cx="300" cy="120" r="49.5" stroke="#FF0000" stroke-dasharray="8 4" stroke-opacity="0.6"/></g><defs><clipPath id="clip0_12:34"><rect width="378" height="227" fill="white"/></clipPath></defs></svg>`,
  'LibreOffice Draw': `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'><svg version="1.2" width="100mm" height="60mm" viewBox="0 0 10000 6000" preserveAspectRatio="xMidYMid" fill-rule="evenodd" stroke-width="28.222" stroke-linejoin="round" xmlns="http://www.w3.org/2000/svg" xmlns:ooo="http://xml.openoffice.org/svg/export" xmlns:xlink="http://www.w3.org/1999/xlink" xml:space="preserve"><defs class="ClipPathGroup"><clipPath id="presentation_clip_path" clipPathUnits="userSpaceOnUse"><rect x="0" y="0" width="10000" height="6000"/></clipPath></defs><defs class="TextShapeIndex"><g ooo:slide="id1" ooo:id-list="id3"/></defs><g class="SlideGroup"><g id="container-id1"><g class="Slide" clip-path="url(#presentation_clip_path)"><g class="Page"><g class="com.sun.star.drawing.CustomShape"><g id="id3"><rect class="BoundingBox" stroke="none" fill="none" x="998" y="998" width="8004" height="4004"/><path fill="rgb(114,159,207)" stroke="none" d="M 5000,5000 L 1000,5000 1000,1000 9000,1000 9000,5000 5000,5000 Z"/><path fill="none" stroke="rgb(52,101,164)" stroke-width="200" d="M 5000,5000 L 1000,5000 1000,1000 9000,1000 9000,5000 5000,5000 Z"/></g></g></g></g></g></g></svg>`,
  LightBurn: `<?xml version="1.0" encoding="UTF-8"?><!-- Created with LightBurn 1.4 --><svg width="100mm" height="60mm" viewBox="0 0 100 60" xmlns="http://www.w3.org/2000/svg" version="1.1"><path transform="matrix(1 0 0 -1 10 50)" style="stroke:#FF0000;stroke-width:0.5px;fill:none" d="M0,0L80,0L80,40L0,40L0,0Z"/><path style="stroke:#0000ff;stroke-width:0.5px;fill:none" d="M30,30C30,24.477 34.477,20 40,20C45.523,20 50,24.477 50,30"/></svg>`,
  Fusion: `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="10cm" height="6cm" viewBox="0 0 10 6"><g transform="translate(1 5) scale(1 -1)"><polyline points="0,0 8,0 8,4 0,4 0,0" style="fill:none;stroke:black;stroke-width:0.05;vector-effect:none"/></g></svg>`,
  'draw.io': sheet(
    '<defs/><g><g data-cell-id="0"><rect x="10" y="10" width="40" height="20" fill="#dae8fc" stroke="#6c8ebf" pointer-events="all"/></g></g>',
  ),
  'a symbol placed twice': sheet(
    '<symbol id="hole" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="none" stroke="#000"/></symbol><use xlink:href="#hole" x="10" y="10" width="20" height="20"/><use href="#hole" x="60" y="20" width="30" height="15"/>',
  ),
  'copies of copies': sheet(
    '<defs><path id="slot" d="M0 0h8v3h-8z"/><g id="row"><use href="#slot"/><use href="#slot" x="12"/></g></defs><use href="#row" x="10" y="10"/><use href="#row" x="10" y="30" fill="red"/>',
  ),
  'a drawing in a drawing': sheet(
    '<svg x="10" y="5" width="50%" height="50" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMin"><rect width="100%" height="100%" fill="gold"/><path d="M0 0L20 20" stroke="#000"/></svg>',
  ),
  'a link around a shape': sheet('<a xlink:href="https://example.org"><circle cx="50" cy="30" r="20"/></a>'),
  'a choice of languages': sheet(
    '<switch><g systemLanguage="xx"><rect width="100" height="60"/></g><g><circle cx="50" cy="30" r="20"/></g></switch>',
  ),
  'currentColor and fallbacks': sheet(
    '<g color="#080"><rect x="5" y="5" width="40" height="50" fill="currentcolor"/><rect x="55" y="5" width="40" height="50" fill="url(#none) #00f" stroke="currentColor" stroke-width="3"/></g>',
  ),
  'ids with dots, colons and spaces': sheet(
    '<linearGradient id="a.b:c d"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><g id="Layer 1"><rect x="5" y="5" width="90" height="25" fill="url(\'#a.b:c d\')"/></g><use href="#Layer%201" y="28"/>',
  ),
  'a pattern': sheet(
    '<pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 3H6" stroke="#000"/></pattern><rect x="10" y="10" width="80" height="40" fill="url(#p)" stroke="#000"/>',
  ),
  'a mask': sheet(
    '<mask id="m"><rect width="100" height="60" fill="#fff"/><circle cx="50" cy="30" r="20" fill="#000"/></mask><rect x="10" y="5" width="80" height="50" fill="#357" mask="url(#m)"/>',
  ),
  selectors: sheet(
    '<style>/* cut */ path, .fold { fill: none; stroke: red } g > .fold { stroke: #00f; stroke-dasharray: 4 2 } #outer.cut { stroke-width: 3 } [data-x] { stroke: lime } path:hover { fill: red }\n@media print { path { stroke: black } }</style><path id="outer" class="cut" d="M5 5H95V55H5Z"/><g><path class="fold" style="stroke-width:2" d="M50 5V55"/></g>',
  ),
  'style against attribute': sheet(
    '<style>rect{fill:lime}</style><rect x="5" y="5" width="40" height="50" fill="red"/><rect x="55" y="5" width="40" height="50" fill="red" style=" fill : blue ; ; stroke : #000 "/>',
  ),
  'an image inside': sheet(
    `<image x="10" y="10" width="40" height="40" xlink:href="${PIXELS}" preserveAspectRatio="none"/><circle cx="75" cy="30" r="15" fill="none" stroke="gold" stroke-width="2"/>`,
  ),
  'no namespace':
    '<svg width="100mm" height="60mm" viewBox="0 0 100 60"><circle cx="50" cy="30" r="20"/></svg>',
  'a prefix': `${XML}<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="100mm" height="60mm" viewBox="0 0 100 60"><svg:circle cx="50" cy="30" r="20"/></svg:svg>`,
  'UTF-16': Buffer.from(
    `\ufeff<?xml version="1.0" encoding="UTF-16"?>${sheet(`<path d="${SOCKET}"/>`)}`,
    'utf16le',
  ),
  'transforms by style': sheet(
    '<rect x="-10" y="-5" width="20" height="10" style="transform:translate(50px,30px) rotate(30deg)"/>',
  ),
  'a mask of how opaque it is': sheet(
    '<mask id="m" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="10" y="10" width="80" height="40"><circle cx="50" cy="30" r="18"/></mask><g mask="url(#m)"><rect x="10" y="10" width="80" height="40" fill="#f00"/></g>',
  ),
  'draw.io, at its end': sheet(
    '<path style="stroke: light-dark(rgb(200, 0, 0), rgb(255, 255, 255))" d="M0 20H90" stroke-width="3"/><switch><g requiredFeatures="http://www.w3.org/TR/SVG11/feature#Extensibility"/><a xlink:href="https://www.drawio.com"><rect x="20" y="55" width="60" height="5"/></a></switch>',
  ),
  'a size by style': root('style="width:100mm;height:60mm" viewBox="0 0 100 60"', `<path d="${SOCKET}"/>`),
  'lines that are hardly there': root(
    'width="1000mm" height="600mm" viewBox="0 0 1000 600"',
    '<g transform="scale(10)" fill="none" stroke="#000"><path d="M10 10H90V50H10Z" stroke-width=".001"/></g>',
  ),
  'text on a path': sheet(
    '<path id="arc" d="M10 50A40 40 0 0 1 90 50" fill="none" stroke="#ccc"/><text font-family="Arial" font-size="8"><textPath href="#arc" startOffset="20%">Trim line, anterior</textPath></text>',
  ),
  texts: sheet(
    '<text x="5" y="12" style="font-family:\'Helvetica Neue\', Arial, sans-serif;font-size:6px"><tspan x="5" y="12">Cut two Ø6 ± 0,5</tspan><tspan x="5" dy="1.2em" font-weight="bold">Skive to 2 mm</tspan></text><text x="95" y="50" text-anchor="end" font-size="6" font-style="italic" transform="rotate(-5 95 50)">Größe 25</text>',
  ),
  'letters in a gradient of their own box': sheet(
    '<linearGradient id="g"><stop stop-color="#d00000"/><stop offset="1" stop-color="#0000d0"/></linearGradient><linearGradient id="h"><stop stop-color="#fff"/></linearGradient><text x="5" y="25" font-size="24" font-weight="bold" fill="url(#h)" stroke="url(#g)">Socket</text><text x="5" y="55" font-size="24" font-weight="bold" fill="url(#g)">Trim</text>',
  ),
  'clipped by a copy of a turned shape': sheet(
    '<rect id="r" width="10" height="10" transform="scale(3)"/><use id="s" href="#r" x="5"/><clipPath id="c"><use href="#s" transform="translate(50 0)"/><use href="#none" transform="scale(2)"/><rect width="0" height="9" transform="scale(2)"/><text transform="scale(2)"> </text></clipPath><path d="M40 0H100V60H40Z" fill="#0050a0" clip-path="url(#c)"/>',
  ),
};
