import { drawPatternDxf } from './draw-dxf.ts';
import { drawBodies, drawPattern, drawTurned } from './draw-model.ts';
import { drawPlan, type Plan } from './draw-plan.ts';
import { drawPlate } from './draw-step.ts';

export interface DemoFile {
  name: string;
  description: string;
  licence?: 'CC BY-SA 4.0' | 'CC BY-NC 4.0' | 'CC0 1.0';
  downloads: number;
  draw: () => Promise<Uint8Array>;
}

const plan = (pages: Plan) => () => drawPlan(pages);

/** Build files of some demo solutions, by their titles; all are drawn here. */
export const demoFiles: Record<string, DemoFile[]> = {
  'Violin bow adapter with a free wrist joint': [
    {
      name: 'bow-clamp-bush.stl',
      description: 'Bush between clamp and joint. Print upright in PA12, then ream the bore to 10.05 mm.',
      licence: 'CC BY-SA 4.0',
      downloads: 29,
      draw: () =>
        drawTurned([
          [5, 0],
          [11, 0],
          [11, 3],
          [8, 5],
          [8, 22],
          [9.5, 24],
          [9.5, 27],
          [5, 27],
        ]),
    },
    {
      name: 'neoprene-lining.svg',
      description: 'Lining of the clamp, to cut by laser or by hand.',
      downloads: 12,
      draw: () =>
        drawPattern(
          64,
          30,
          'M4 2 H60 Q62 2 62 4 V26 Q62 28 60 28 H40 V22 H24 V28 H4 Q2 28 2 26 V4 Q2 2 4 2 Z',
        ),
    },
  ],
  'Printed hand a six-year-old puts on alone': [
    {
      name: 'fingertip.stl',
      description: 'Tip of the index finger for a hand of 52 mm. Scale by the width of the palm.',
      licence: 'CC BY-NC 4.0',
      downloads: 134,
      draw: () =>
        drawTurned([
          [2, 0],
          [6.5, 0],
          [7, 4],
          [6.6, 12],
          [5.6, 17],
          [3.8, 20.5],
          [1.6, 22],
          [0, 22.3],
          [0, 19],
          [2, 16],
        ]),
    },
  ],
  'Forefoot filler that spares the plantar skin': [
    {
      name: 'forefoot-filler-pattern.pdf',
      description: 'Pattern at full size for EU 42. Print at 100 % and check the square first.',
      downloads: 41,
      draw: plan({
        title: 'Forefoot filler, EU 42: pattern at full size',
        sheets: [
          {
            name: 'Base, EVA 12 mm, cut one',
            outline: [
              [10, 0],
              [78, 0],
              [86, 22],
              [84, 58],
              [66, 96],
              [38, 108],
              [14, 92],
              [2, 52],
            ],
            holes: [
              [22, 14, 4],
              [66, 14, 4],
            ],
            width: '84 mm',
            height: '108 mm',
            notes: [
              'Skive the edge that meets the residual foot to 2 mm over 15 mm.',
              'Leave 3 mm between filler and skin; the silicone cushion fills it.',
            ],
          },
          {
            name: 'Cushion, silicone 6 mm, cut one',
            outline: [
              [6, 0],
              [72, 0],
              [78, 20],
              [70, 40],
              [40, 48],
              [8, 38],
              [0, 18],
            ],
            holes: [],
            width: '78 mm',
            height: '48 mm',
            notes: ['Round the rim that touches skin. No edge may lie over the scar.'],
          },
        ],
      }),
    },
  ],
  'Pen holder that writes from the shoulder': [
    {
      name: 'pen-holder-plate.pdf',
      description: 'Drilling plan of the plate, with the angles that we tried.',
      licence: 'CC BY-SA 4.0',
      downloads: 17,
      draw: plan({
        title: 'Pen holder: plate at full size',
        sheets: [
          {
            name: 'Plate, acrylic 5 mm, cut one',
            outline: [
              [0, 0],
              [120, 0],
              [120, 34],
              [96, 46],
              [24, 46],
              [0, 34],
            ],
            holes: [
              [12, 17, 5],
              [108, 17, 5],
              [60, 28, 9],
            ],
            width: '120 mm',
            height: '46 mm',
            notes: [
              'The middle hole takes the ball of the pen clamp: 9 mm, reamed.',
              'Start with the pen at 55 degrees. Writers who slide the paper prefer 65.',
            ],
          },
        ],
      }),
    },
  ],
  'Heat-formed socket from drainage pipe, with a soft brim': [
    {
      name: 'soft-brim-pattern.pdf',
      description: 'Pattern of the soft brim in three sizes, printed at full size.',
      licence: 'CC0 1.0',
      downloads: 63,
      draw: plan({
        title: 'Soft brim: pattern at full size',
        sheets: [
          { circumference: 200, size: 'Small' },
          { circumference: 230, size: 'Medium' },
          { circumference: 260, size: 'Large' },
        ].map(({ circumference, size }) => {
          const half = circumference / 2 - 10;
          return {
            name: `${size}, EVA 6 mm, cut one`,
            outline: [
              [0, 8],
              [12, 0],
              [half, 0],
              [half + 10, 25],
              [half, 50],
              [12, 50],
              [0, 42],
            ],
            holes: [[half - 8, 25, 6]],
            width: `${half + 10} mm`,
            height: '50 mm',
            notes: [
              `For a circumference of ${circumference} mm at the brim. Half is drawn; the left edge lies on the fold.`,
            ],
          };
        }),
      }),
    },
  ],
  'Stairs with a bone-anchored prosthesis: a graded plan': [
    {
      name: 'graded-plan.pdf',
      description: 'One page for each stage, to hand out.',
      licence: 'CC BY-NC 4.0',
      downloads: 88,
      draw: plan({
        title: 'Stairs with a bone-anchored prosthesis',
        sheets: [
          [
            'Stage 1: one step, both rails',
            'Sound leg first up, prosthesis first down. Ten times, twice a day.',
          ],
          [
            'Stage 2: four steps, one rail',
            'Move on after three days without pain above 3 of 10 at the implant.',
          ],
          [
            'Stage 3: a whole flight, step over step',
            'Only with the physiotherapist beside the patient for the first week.',
          ],
        ].map(([name = '', note = '']) => ({
          name,
          outline: [
            [0, 0],
            [140, 0],
            [140, 68],
            [105, 68],
            [105, 51],
            [70, 51],
            [70, 34],
            [35, 34],
            [35, 17],
            [0, 17],
          ],
          holes: [],
          width: 'depth of a tread: 28 cm',
          height: 'height of a step: 17 cm',
          notes: [note, 'Stop and call us when the pain stays for more than two hours.'],
        })),
      }),
    },
  ],
  'Quick-change coupling between walking foot and blade': [
    {
      name: 'coupling-plate.step',
      description:
        'Plate under the dovetail, titanium grade 5. Four bolts M6 on a circle of 36 mm; break all edges 0.5 mm.',
      licence: 'CC BY-SA 4.0',
      downloads: 52,
      draw: async () => drawPlate({ radius: 30, thickness: 8, bore: 10, bolts: 4, pitch: 18, bolt: 3.3 }),
    },
  ],
  'Typing splint for an above-elbow user': [
    {
      name: 'typing-tip.3mf',
      description:
        'Peg with its tip in two materials: PETG for the shaft, TPU 85A where silicone cannot be cast.',
      downloads: 36,
      draw: async () =>
        drawBodies([
          {
            colour: '#37505C',
            profile: [
              [0, 0],
              [4, 0],
              [4, 46],
              [3, 50],
              [3, 56],
              [0, 56],
            ],
          },
          {
            colour: '#E07B39',
            profile: [
              [3, 52],
              [5.6, 53],
              [6.5, 57],
              [5.4, 61],
              [3, 63],
              [0, 63.6],
              [0, 56],
              [3, 56],
            ],
          },
        ]),
    },
  ],
  'Swim fin that clips to a transtibial socket': [
    {
      name: 'fin-blade.dxf',
      description: 'The third fin, the one that stayed, to cut from a bodyboard. The slot takes the hinge.',
      licence: 'CC BY-NC 4.0',
      downloads: 23,
      draw: async () => drawPatternDxf(),
    },
  ],
};
