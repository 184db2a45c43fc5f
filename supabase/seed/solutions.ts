import type { ClipName } from './clips.ts';

/** A picture: one of the drawings in `art/`, or a crop of one. */
export interface DemoPicture {
  /** Folder of the case and name of the view. */
  art: string;
  /** Left, top and width of the crop as parts of the whole; the shape stays 16:9. */
  crop?: [number, number, number];
  description: string;
}

export interface DemoSolution {
  author: string;
  title: string;
  description: string;
  occupation: string;
  amputation_level: string;
  age_group: string;
  prosthesis_type: string;
  cost_range: string;
  materials: string[];
  custom_tags: string[];
  durability_testing?: string;
  patient_outcomes?: string;
  challenges_overcome?: string;
  pictures: DemoPicture[];
  clip?: { name: ClipName; description: string };
  consent: 'patient_written' | 'guardian_written' | 'no_identifiable_person';
  status: 'approved' | 'pending' | 'rejected';
  /** Who can see it; everyone without one. */
  audience?: 'members' | 'checked';
  rejection_reason?: string;
  days_ago: number;
  likes: string[];
  /** Author and text; a third part holds replies. */
  comments: [string, string, [string, string][]?][];
}

const TR = 'Transradial (Below Elbow)';
const TT = 'Transtibial (Below Knee)';
const TF = 'Transfemoral (Above Knee)';
const TH = 'Transhumeral (Above Elbow)';
const LOW = 'Low-cost (<$500)';
const MID = 'Mid-range ($500-$5000)';
const HIGH = 'High-end (>$5000)';

export const demoSolutions: DemoSolution[] = [
  {
    author: 'amara',
    title: 'Violin bow adapter with a free wrist joint',
    description:
      'A short terminal device that holds a standard violin bow at its balance point. The joint turns freely over 40° and has a light return spring, so the bow follows the string instead of being steered by the elbow.\n\nThe clamp is printed in two halves around the frog and lined with 1 mm silicone; nothing is screwed to the bow. The adapter fits a half-inch wrist unit and comes off in seconds, which matters in rehearsals.',
    occupation: 'Playing Instruments',
    amputation_level: TR,
    age_group: 'Children, Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['3D-Printed PLA', 'Silicone', 'Aluminum'],
    custom_tags: ['violin', 'terminal device', 'music', 'half-inch thread'],
    durability_testing:
      'Two years of daily practice by the first user. The spring was replaced once; the clamp is reprinted about every nine months.',
    patient_outcomes:
      'Bowing a full-length stroke within the first hour. Passed an orchestra audition after five months.',
    challenges_overcome:
      'The first version was too heavy at the tip: moving the joint 18 mm towards the socket took away the fatigue in the shoulder.',
    pictures: [
      { art: 'violin-bow/whole', description: 'Bow adapter on a transradial socket, seen from the side' },
      {
        art: 'violin-bow/in-use',
        description: 'The bow in the adapter lying across the strings of a violin',
      },
      {
        art: 'violin-bow/whole',
        crop: [0.33, 0.3, 0.45],
        description: 'The free joint with its return spring and the clamp on the bow',
      },
    ],
    consent: 'patient_written',
    status: 'approved',
    days_ago: 2,
    likes: ['leila', 'priya', 'grace', 'tomasz', 'ruth', 'henrik', 'ingrid'],
    comments: [
      [
        'leila',
        'How do you set the spring for pizzicato, when the bow has to stay out of the way?',
        [
          [
            'amara',
            'There is a 3 mm pin that locks the joint at 90°. I should have shown it, and will add a picture.',
          ],
        ],
      ],
      ['grace', 'Is the clamp solid infill or gyroid? We saw creep in PLA clamps left in a car.'],
    ],
  },
  {
    author: 'tomasz',
    title: 'Running blade set up for forest trails',
    description:
      'A long-distance blade with a wider, grooved sole and a 12 mm lateral flare. On soft ground a narrow blade sinks and twists; the flare spreads the load without changing the deflection of the carbon.\n\nThe sole is bonded in three strips so that the blade can still bend. Alignment was found on the trail itself, with the runner’s own phone video at 120 frames a second.',
    occupation: 'Running',
    amputation_level: TT,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: HIGH,
    materials: ['Carbon Fiber', 'Custom Alloys'],
    custom_tags: ['trail running', 'blade', 'alignment', 'ultra'],
    durability_testing:
      '640 km over eleven months. The sole strips were renewed at 400 km; no delamination at the bend.',
    patient_outcomes:
      'Finished a 50 km mountain race. Falls in training fell from about one a week to one a month.',
    pictures: [
      {
        art: 'running-blade/whole',
        description: 'Running blade with a teal socket and an orange grooved sole',
      },
      { art: 'running-blade/in-use', description: 'The blade on a forest trail between stones and roots' },
      {
        art: 'running-blade/whole',
        crop: [0.3, 0.55, 0.45],
        description: 'The grooved sole in three strips',
      },
    ],
    clip: {
      name: 'running-blade',
      description: 'The blade taking load and springing back, drawn from the alignment session',
    },
    consent: 'patient_written',
    status: 'approved',
    days_ago: 4,
    likes: ['hannah', 'marcus', 'amara', 'ingrid', 'kenji', 'olu', 'daniel', 'grace', 'henrik'],
    comments: [
      [
        'hannah',
        'We measured the vertical impulse before and after: 6 % less on the sound side. I will post the figures in the forum.',
      ],
      [
        'marcus',
        'Which adhesive for the sole strips? Ours lift at the toe after the first frost.',
        [
          [
            'tomasz',
            'A flexible polyurethane, with the carbon abraded and primed. Cyanoacrylate goes brittle below 5 °C.',
          ],
          ['marcus', 'Thank you, that explains it.'],
        ],
      ],
      ['olu', 'Tyre tread works as a sole too, if you skive it to 4 mm.'],
    ],
  },
  {
    author: 'priya',
    title: 'Printed hand a six-year-old puts on alone',
    description:
      'A body-powered printed hand with two wide straps that close towards the body, so that a child can don it without help. Fingers close when the elbow bends; a light elastic opens them.\n\nAll joints are printed pins, not screws. The palm is scaled from three measurements, and the whole hand weighs 165 g.',
    occupation: 'Grasping & Gripping',
    amputation_level: TR,
    age_group: 'Children',
    prosthesis_type: 'Body-Powered',
    cost_range: LOW,
    materials: ['3D-Printed PLA', 'Thermoplastic'],
    custom_tags: ['paediatric', 'printed hand', 'elbow driven'],
    patient_outcomes:
      'Rides a scooter with both hands on the bar. Wears the hand at school by choice, four days out of five.',
    challenges_overcome:
      'Straps with hook-and-loop at the outer side needed the other hand. Turning them round took a week of argument and five minutes of printing.',
    pictures: [
      { art: 'child-hand/whole', description: 'Child’s printed hand in teal and orange, fingers open' },
      { art: 'child-hand/in-use', description: 'The hand open under a ball, a wooden block beside it' },
      { art: 'child-hand/whole', crop: [0, 0.2, 0.5], description: 'Two straps that close towards the body' },
      { art: 'child-hand/whole', crop: [0.5, 0.1, 0.5], description: 'Finger joints with printed pins' },
    ],
    consent: 'guardian_written',
    status: 'approved',
    days_ago: 6,
    likes: [
      'amara',
      'ruth',
      'leila',
      'sofia',
      'olu',
      'grace',
      'kenji',
      'ingrid',
      'tomasz',
      'hannah',
      'daniel',
    ],
    comments: [
      [
        'ruth',
        'The strap direction is the best idea I have seen this year. How do you size it between visits?',
        [
          [
            'priya',
            'The parent sends a photo with a coin in it. Three measurements are enough until the next growth spurt.',
          ],
        ],
      ],
      ['olu', 'May I have the scale factors? We would like to try this with PETG.'],
    ],
  },
  {
    author: 'henrik',
    title: 'Fail-safe coupling for an osseointegrated femoral implant',
    description:
      'A coupling between abutment and knee that releases under torsion before the bone is at risk. The release moment is set by the therapist with a torque key and can be read from outside on a window in the housing.\n\nWe built it after two falls in which a fixed coupling had passed the whole twist to the implant. It adds 62 mm of build height, so it suits a long residual limb or a short knee.',
    occupation: 'Weight-Bearing Activities',
    amputation_level: TF,
    age_group: 'Adults',
    prosthesis_type: 'Osseointegrated',
    cost_range: HIGH,
    materials: ['Titanium', 'Custom Alloys'],
    custom_tags: ['osseointegration', 'torsion', 'safety', 'abutment'],
    durability_testing:
      'Cyclic test to 1.2 million steps at 900 N on the bench; release moment drifted by less than 4 %.',
    patient_outcomes:
      'Fourteen people over eighteen months: nine releases in falls, no implant loosening, no fracture.',
    pictures: [
      {
        art: 'implant-coupling/whole',
        description: 'Section through implant, abutment and the coupling below it',
      },
      {
        art: 'implant-coupling/in-use',
        description: 'The coupling between residual limb and prosthetic knee, standing',
      },
      {
        art: 'implant-coupling/whole',
        crop: [0.25, 0.35, 0.5],
        description: 'Coupling housing with the orange read-out window',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 9,
    likes: ['ingrid', 'daniel', 'grace', 'marcus'],
    comments: [
      [
        'ingrid',
        'From the gym: people trust it after the first release. Before that they walk as if on ice.',
      ],
      [
        'daniel',
        'What is your lower limit for residual limb length?',
        [['henrik', 'About 160 mm from the end of the bone to the knee centre with the knee we use.']],
      ],
    ],
  },
  {
    author: 'leila',
    title: 'Myoelectric hand training with three everyday objects',
    description:
      'A two-week home programme for new myoelectric users built around an egg carton, a zip and a mug. Each object trains one signal: gentle grading, repeated switching, and holding while the arm moves.\n\nThe sheet asks for ten minutes twice a day and a tick, nothing more. Signal sites were moved twice in the first ten users; the log of ticks told us which day it stopped working.',
    occupation: 'Fine Motor Tasks',
    amputation_level: TR,
    age_group: 'Adults',
    prosthesis_type: 'Myoelectric',
    cost_range: HIGH,
    materials: ['Silicone', 'Carbon Fiber'],
    custom_tags: ['myo', 'training', 'home programme', 'occupational therapy'],
    patient_outcomes:
      'Box and block score rose from a median of 11 to 19 in two weeks (n = 10). Nine of ten still wore the hand daily after six months.',
    pictures: [
      {
        art: 'myoelectric-hand/whole',
        description: 'Myoelectric hand with a signal display on the forearm shell',
      },
      {
        art: 'myoelectric-hand/in-use',
        description: 'The hand beside the three training objects: an egg carton, a mug and a zip',
      },
      {
        art: 'myoelectric-hand/whole',
        crop: [0.5, 0.12, 0.5],
        description: 'Fingers half closed for a graded grip',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 11,
    likes: ['amara', 'grace', 'priya', 'daniel', 'ruth', 'sofia'],
    comments: [
      ['grace', 'Would you share raw envelopes? We are comparing thresholds for first-time users.'],
      ['amara', 'The egg carton is now in our cupboard. Simple and honest.'],
    ],
  },
  {
    author: 'kenji',
    title: 'Forefoot filler that spares the plantar skin',
    description:
      'An insert for transmetatarsal loss with a carbon rocker under the shoe’s insole and a two-density filler in front. The soft zone starts 8 mm behind the end of the residual foot, so no edge falls on the scar.\n\nPerforations under the first ray let the foam give where pressure was highest. The insert goes into any shoe with a removable insole, one size up.',
    occupation: 'Walking',
    amputation_level: 'Partial Foot',
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Carbon Fiber', 'Gel Liners', 'Thermoplastic'],
    custom_tags: ['diabetes', 'transmetatarsal', 'insole', 'skin'],
    durability_testing:
      'Foam replaced every five months, carbon after three years. Pressure mapped at fitting, six weeks and six months.',
    patient_outcomes:
      'Peak pressure at the end of the residual foot fell from 310 to 175 kPa. No new ulcer in 22 of 24 feet after a year.',
    pictures: [
      {
        art: 'forefoot-filler/whole',
        description: 'Partial-foot insert with a perforated orange filler, seen from above',
      },
      { art: 'forefoot-filler/in-use', description: 'The insert lying in a laced shoe, seen from above' },
      {
        art: 'forefoot-filler/whole',
        crop: [0.5, 0.25, 0.45],
        description: 'Perforations under the first ray',
      },
    ],
    consent: 'patient_written',
    status: 'approved',
    days_ago: 13,
    likes: ['daniel', 'henrik', 'marcus', 'ruth', 'olu'],
    comments: [
      [
        'daniel',
        'Do you offload the fifth ray too when there is varus?',
        [
          [
            'kenji',
            'With a 2 mm lateral wedge under the carbon, not in the foam: it wears out of shape there.',
          ],
        ],
      ],
    ],
  },
  {
    author: 'marcus',
    title: 'Mud-proof microprocessor knee cover for farm work',
    description:
      'A two-part cover that keeps slurry, chaff and pressure-washer spray out of a microprocessor knee without blocking its cooling. The upper half slides under the lower one as the knee bends.\n\nThe seal is a strip of neoprene wetsuit material glued into a groove. Charging stays possible through a flap on the medial side, so the cover comes off once a week and not every night.',
    occupation: 'Heavy Lifting',
    amputation_level: TF,
    age_group: 'Adults',
    prosthesis_type: 'Hybrid',
    cost_range: MID,
    materials: ['Thermoplastic', 'Silicone'],
    custom_tags: ['farming', 'microprocessor knee', 'waterproof', 'cover'],
    durability_testing:
      'A lambing season and a harvest. One seal replaced after contact with a barbed-wire fence.',
    challenges_overcome:
      'Trapped heat triggered the knee’s thermal limit in August; a chimney of 4 mm slots at the back solved it.',
    pictures: [
      {
        art: 'knee-cover/whole',
        description:
          'Two-part cover over a knee: the orange upper half slides under the white lower half at a black seal',
      },
      { art: 'knee-cover/in-use', description: 'The covered knee above a rubber boot that stands in mud' },
      {
        art: 'knee-cover/whole',
        crop: [0.36, 0.46, 0.45],
        description: 'Cooling slots at the back, the neoprene seal and the teal flap for charging',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 16,
    likes: ['tomasz', 'grace', 'amara', 'henrik', 'olu', 'kenji'],
    comments: [
      [
        'grace',
        'What was the temperature inside without the slots?',
        [['marcus', '51 °C at the controller after an hour of walking behind the baler. With slots 38 °C.']],
      ],
    ],
  },
  {
    author: 'olu',
    title: 'Split-keel foot pressed from recycled carbon offcuts',
    description:
      'A walking foot for about the price of a pair of shoes. Offcuts from a boat yard are laid up over a plywood mould and pressed between two tyre inner tubes, then split lengthwise for uneven ground.\n\nThe foot is sold in three stiffnesses by body weight. A drawing with layer counts is free for any workshop; please tell us how it wears.',
    occupation: 'Walking',
    amputation_level: TT,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Carbon Fiber', 'Thermoplastic'],
    custom_tags: ['low resource', 'energy storing foot', 'open drawing'],
    durability_testing:
      'Ten feet on a cam rig to 500,000 cycles at 80 kg; one delaminated at the heel, layer count raised from 9 to 11 since.',
    patient_outcomes:
      '31 users so far; mean distance on the six-minute walk up from 271 to 322 m compared with a solid-ankle foot.',
    pictures: [
      {
        art: 'split-keel-foot/whole',
        description: 'Split-keel carbon foot with its shell standing beside it',
      },
      {
        art: 'split-keel-foot/in-use',
        description: 'The foot on uneven ground: one half of the forefoot on a stone, the other on the soil',
      },
      {
        art: 'split-keel-foot/whole',
        crop: [0.3, 0.4, 0.45],
        description: 'Forefoot with bonded rubber sole',
      },
      {
        art: 'split-keel-foot/whole',
        crop: [0.02, 0.1, 0.42],
        description: 'Pyramid adapter bolted to the top of the keel',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 18,
    likes: ['marcus', 'tomasz', 'grace', 'ruth', 'henrik', 'ingrid', 'sofia', 'priya'],
    comments: [
      [
        'tomasz',
        'Impressive numbers. Do you post-cure?',
        [['olu', 'Eight hours under black plastic in the sun. A thermocouple says 65 to 70 °C.']],
      ],
      ['ruth', 'This deserves a place in every training course.'],
    ],
  },
  {
    author: 'amara',
    title: 'Cable routing that ends the squeak of a body-powered hook',
    description:
      'A retainer that lifts the control cable 14 mm off the forearm and guides it round one large radius instead of two small ones. Friction at the hook falls by a third and the squeak goes with it.\n\nThe retainer is turned from aluminium and moves along a slot, so that the cable can be tuned with the harness on. It fits any laminated transradial socket.',
    occupation: 'Daily Living Activities',
    amputation_level: TR,
    age_group: 'Adults',
    prosthesis_type: 'Body-Powered',
    cost_range: LOW,
    materials: ['Aluminum', 'Carbon Fiber'],
    custom_tags: ['hook', 'cable', 'Bowden', 'harness'],
    durability_testing: 'Cable life went from four to eleven months in six users who work with their hands.',
    pictures: [
      {
        art: 'body-powered-hook/whole',
        description: 'Split hook with rubber bands and the lifted control cable',
      },
      { art: 'body-powered-hook/in-use', description: 'The hook lifting a mug by its handle' },
      {
        art: 'body-powered-hook/whole',
        crop: [0.25, 0.02, 0.45],
        description: 'The cable retainer on the forearm',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 21,
    likes: ['leila', 'grace', 'priya', 'olu'],
    comments: [
      [
        'grace',
        'Measured it on the rig: 61 N instead of 92 N at the hook for the same 150 N at the harness.',
      ],
    ],
  },
  {
    author: 'sofia',
    title: 'Openwork calf cover that lets the leg breathe',
    description:
      'A printed cover in a honeycomb that is closed at the front and opens towards the calf. It gives trousers something to fall over, weighs 210 g and does not trap sweat against the pylon.\n\nThe outline is mirrored from a scan of the sound leg. A leather band at the top hides the edge of the socket and carries the only two screws.',
    occupation: 'Daily Living Activities',
    amputation_level: TT,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: MID,
    materials: ['3D-Printed PLA', 'Custom Alloys'],
    custom_tags: ['cosmesis', 'cover', 'scan', 'mirror'],
    patient_outcomes:
      '“I wore a skirt to my sister’s wedding.” Eight of nine users chose an open cover over foam when offered both.',
    pictures: [
      { art: 'calf-cover/whole', description: 'White honeycomb calf cover above a dark foot' },
      { art: 'calf-cover/in-use', description: 'The cover beside the outline of the other leg' },
      {
        art: 'calf-cover/whole',
        crop: [0.3, 0.02, 0.45],
        description: 'Leather band that hides the socket edge',
      },
    ],
    consent: 'patient_written',
    status: 'approved',
    days_ago: 24,
    likes: ['priya', 'amara', 'kenji', 'hannah', 'leila', 'olu', 'ruth'],
    comments: [
      [
        'kenji',
        'Does the honeycomb hold shape at the ankle cut-out?',
        [['sofia', 'Only with a closed rim of three perimeters. The first ones went oval in a hot car.']],
      ],
    ],
  },
  {
    author: 'marcus',
    title: 'Seal-ring liner routine for a short, conical limb',
    description:
      'How we got reliable suction on an 11 cm conical residual limb: a liner with four seal rings, a socket relief behind the second ring, and a spray bottle with the right amount of alcohol.\n\nThe rings sit on the widest part and not at the end. A small mirror on the shoe lets the user see that the first ring has not rolled.',
    occupation: 'Walking',
    amputation_level: TF,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: MID,
    materials: ['Silicone', 'Gel Liners'],
    custom_tags: ['suction', 'liner', 'short residual limb', 'donning'],
    patient_outcomes:
      'Suction lost about once a day before, once in three weeks after. The user stopped carrying a spare belt.',
    pictures: [
      {
        art: 'seal-ring-liner/whole',
        description: 'Suction liner with four orange seal rings and a locking pin',
      },
      {
        art: 'seal-ring-liner/in-use',
        description: 'Liner lying beside the transtibial prosthesis that it is worn with',
      },
      { art: 'seal-ring-liner/whole', crop: [0.3, 0.2, 0.5], description: 'Seal rings on the widest part' },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 27,
    likes: ['henrik', 'daniel', 'ingrid'],
    comments: [['ingrid', 'The mirror is a lovely trick. We use a phone camera on a timer.']],
  },
  {
    author: 'priya',
    title: 'Handlebar gripper for a first bicycle',
    description:
      'A printed gripper that opens under the child’s own pull and lets go when the arm is lifted, so that a fall does not take the bicycle along. The fingers wrap a 22 mm bar and end in soft pads.\n\nRelease was tested with a luggage scale: it opens at 35 N upwards and holds against 60 N along the bar. Both can be changed with the elastic.',
    occupation: 'Sports & Athletics',
    amputation_level: TR,
    age_group: 'Children',
    prosthesis_type: 'Body-Powered',
    cost_range: LOW,
    materials: ['3D-Printed PLA', 'Silicone'],
    custom_tags: ['cycling', 'paediatric', 'break-away', 'terminal device'],
    durability_testing: 'Three children, two summers, one set of pads each.',
    patient_outcomes:
      'All three ride to school. One has moved on to the next size and handed the gripper to a cousin’s friend.',
    pictures: [
      { art: 'handlebar-gripper/whole', description: 'Gripper closing round a handlebar, seen from above' },
      { art: 'handlebar-gripper/in-use', description: 'The gripper on the handlebar of a child’s bicycle' },
      {
        art: 'handlebar-gripper/whole',
        crop: [0.45, 0.15, 0.45],
        description: 'The two fingers with soft orange pads',
      },
    ],
    clip: { name: 'handlebar-gripper', description: 'The gripper opening and closing round the bar' },
    consent: 'guardian_written',
    status: 'approved',
    days_ago: 30,
    likes: ['tomasz', 'hannah', 'ruth', 'amara', 'leila', 'olu', 'grace', 'sofia'],
    comments: [
      [
        'tomasz',
        'Have you tried it on drop bars?',
        [['priya', 'Not yet. The 31 mm tops would need a wider palm.']],
      ],
      ['hannah', 'Testing the release with a luggage scale is something every family can repeat. Excellent.'],
    ],
  },
  {
    author: 'daniel',
    title: 'Full-leg prosthesis for a hip disarticulation, worn all day',
    description:
      'A Canadian-style socket with a window over the iliac crest and an elastic front panel, joined to a light hip joint and a knee with stance flexion. The aim was sitting: the user is a teacher and sits down forty times a day.\n\nThe window took the pressure away from the crest and lets heat out. The whole prosthesis weighs 4.1 kg.',
    occupation: 'Balance & Stability',
    amputation_level: 'Full Limb',
    age_group: 'Adults',
    prosthesis_type: 'Hybrid',
    cost_range: HIGH,
    materials: ['Carbon Fiber', 'Titanium', 'Thermoplastic'],
    custom_tags: ['hip disarticulation', 'sitting', 'socket window'],
    patient_outcomes: 'Wearing time rose from three to eleven hours a day within four months.',
    challenges_overcome:
      'Rotation of the socket while sitting down: a silicone strip along the sacrum ended it.',
    pictures: [
      {
        art: 'hip-prosthesis/whole',
        description: 'Hip disarticulation prosthesis with its front panel and silicone strip beside it',
      },
      {
        art: 'hip-prosthesis/in-use',
        description: 'The prosthesis on a chair, hip and knee bent to a right angle',
      },
      {
        art: 'hip-prosthesis/whole',
        crop: [0.24, 0, 0.44],
        description: 'Socket with the window over the iliac crest',
      },
    ],
    consent: 'patient_written',
    status: 'approved',
    days_ago: 34,
    likes: ['henrik', 'ingrid', 'marcus', 'kenji'],
    comments: [
      [
        'henrik',
        'Eleven hours is remarkable. What did the skin look like at four weeks?',
        [
          [
            'daniel',
            'Red over the crest for an hour after doffing, then clear. We widened the window by 9 mm.',
          ],
        ],
      ],
    ],
  },
  {
    author: 'leila',
    title: 'Typing splint for an above-elbow user',
    description:
      'A passive forearm with two angled typing pegs for a transhumeral user who writes reports all day. The pegs are 42 mm apart, which reaches every second key without looking; the elbow locks at 95°.\n\nA foot pedal takes over shift and control. Together it is faster than dictation in an open-plan office.',
    occupation: 'Typing',
    amputation_level: TH,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Thermoplastic', 'Silicone', 'Aluminum'],
    custom_tags: ['office', 'keyboard', 'terminal device', 'pedal'],
    patient_outcomes: '38 words a minute after three weeks, measured on the user’s own reports.',
    pictures: [
      {
        art: 'typing-splint/whole',
        description: 'Forearm with two angled pegs over a keyboard, the elbow locked at 95°',
      },
      {
        art: 'typing-splint/in-use',
        description: 'The pegs on two keys and the foot pedal, seen from above',
      },
      { art: 'typing-splint/whole', crop: [0.5, 0.38, 0.45], description: 'Silicone tips of the two pegs' },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 38,
    likes: ['amara', 'grace', 'sofia'],
    comments: [],
  },
  {
    author: 'grace',
    title: 'Pocket load cell for checking a pylon in clinic',
    description:
      'A 28 mm load cell that replaces one pyramid clamp for ten minutes and shows axial force, sagittal and coronal moment on a tablet. It is meant for the fitting room: put it in, walk twelve steps, take it out.\n\nThe strain gauges sit on a turned titanium neck. Zero drift is below 3 N in an hour; the drawing and the firmware are free for services that share their data.',
    occupation: 'Precision Work',
    amputation_level: TT,
    age_group: 'Children, Adults',
    prosthesis_type: 'Passive',
    cost_range: MID,
    materials: ['Titanium', 'Custom Alloys'],
    custom_tags: ['alignment', 'load cell', 'measurement', 'open hardware'],
    durability_testing:
      'Calibrated against a 6-axis reference from 0 to 1,200 N; worst error 1.8 % of reading.',
    pictures: [
      {
        art: 'load-cell/in-use',
        description: 'Load cell between two clamps of a pylon, its curves on a tablet',
      },
      { art: 'load-cell/whole', description: 'Clamp, load cell with its turned neck, and battery' },
      {
        art: 'load-cell/in-use',
        crop: [0.14, 0.1, 0.45],
        description: 'Status window and strain gauges of the load cell',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    audience: 'members',
    days_ago: 41,
    likes: ['tomasz', 'hannah', 'henrik', 'marcus', 'amara', 'ingrid'],
    comments: [
      [
        'hannah',
        'Could it log for a whole training session?',
        [['grace', 'The battery lasts 50 minutes. For running it would need a stiffer neck.']],
      ],
    ],
  },
  {
    author: 'tomasz',
    title: 'Quick-change coupling between walking foot and blade',
    description:
      'A dovetail coupling that swaps a walking foot for a running blade without losing alignment. Both halves are wire-cut from one billet; a cam lever clamps with a click that can be felt through a glove.\n\nIt adds 88 g and 24 mm. People who had stopped running because of the changing of legs at the track have started again.',
    occupation: 'Sports & Athletics',
    amputation_level: TT,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: MID,
    materials: ['Titanium', 'Carbon Fiber'],
    custom_tags: ['quick change', 'alignment', 'blade', 'coupling'],
    durability_testing: '2,000 changes and 300 km without play. Angle error after a change below 0.2°.',
    pictures: [
      {
        art: 'quick-change-coupling/whole',
        description: 'Socket with the coupling above a walking foot and a running blade',
      },
      {
        art: 'quick-change-coupling/dovetail',
        description: 'The two halves of the dovetail and the cam lever',
      },
      {
        art: 'quick-change-coupling/whole',
        crop: [0.34, 0, 0.4],
        description: 'Cam lever on the half that stays on the socket',
      },
    ],
    clip: {
      name: 'quick-change-coupling',
      description: 'The blade leaving the stand, sliding into the socket’s half and clicking in',
    },
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 45,
    likes: ['hannah', 'marcus', 'grace', 'olu', 'kenji'],
    comments: [
      [
        'marcus',
        'Would it survive sea water?',
        [['tomasz', 'The titanium, yes. The cam spring should be changed to a stainless one.']],
      ],
    ],
  },
  {
    author: 'ingrid',
    title: 'Stairs with a bone-anchored prosthesis: a graded plan',
    description:
      'Six weeks of stair training for people with a femoral osseointegrated prosthesis, in steps of load and not of calendar time. Each step has one figure from the load cell that must be reached on three days running.\n\nThe plan starts with a 5 cm board and ends with a full flight carrying a bag. Fear, not strength, decides the pace, and the plan says so.',
    occupation: 'Climbing Stairs',
    amputation_level: TF,
    age_group: 'Adults',
    prosthesis_type: 'Osseointegrated',
    cost_range: HIGH,
    materials: ['Titanium'],
    custom_tags: ['stairs', 'physiotherapy', 'load', 'osseointegration'],
    patient_outcomes:
      'Eleven of twelve people climb step over step after six weeks; one stopped because of pain and resumed later.',
    pictures: [
      {
        art: 'stair-training/in-use',
        description: 'Bone-anchored prosthesis on the second of three stairs, load figures beside it',
      },
      {
        art: 'stair-training/first-step',
        description: 'The foot on the board of 5 cm with which the plan starts',
      },
      {
        art: 'stair-training/in-use',
        crop: [0.32, 0, 0.45],
        description: 'Coupling and knee while the leg carries weight',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    audience: 'checked',
    days_ago: 49,
    likes: ['henrik', 'daniel', 'hannah', 'grace'],
    comments: [['hannah', 'Using fear as a criterion, in writing, is brave and right.']],
  },
  {
    author: 'olu',
    title: 'Heat-formed socket from drainage pipe, with a soft brim',
    description:
      'A check socket that can be worn for months, formed from polypropylene drainage pipe over a plaster model in a bread oven. The brim is softened with a bicycle inner tube, heat-bonded.\n\nFrom cast to walking takes one day. The pipe costs less than the bandage for the cast, and it can be re-heated when the limb shrinks.',
    occupation: 'Weight-Bearing Activities',
    amputation_level: TT,
    age_group: 'Children, Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Thermoplastic'],
    custom_tags: ['low resource', 'check socket', 'polypropylene'],
    durability_testing:
      'Median life seven months in 48 sockets; failure starts at the distal seam and is visible weeks before.',
    pictures: [
      {
        art: 'pipe-socket/whole',
        description:
          'Socket formed from drainage pipe, with a length of pipe and the inner tube for the brim',
      },
      { art: 'pipe-socket/oven', description: 'Pipe formed over the plaster model in a bread oven' },
      {
        art: 'pipe-socket/whole',
        crop: [0.15, 0.08, 0.42],
        description: 'Brim softened with a bicycle inner tube',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 54,
    likes: ['ruth', 'marcus', 'priya', 'sofia', 'grace', 'kenji', 'leila'],
    comments: [
      [
        'sofia',
        'Which oven temperature?',
        [
          [
            'olu',
            '185 °C for nineteen minutes, then work fast. The pipe tells you: it goes from white to glassy.',
          ],
        ],
      ],
    ],
  },
  {
    author: 'leila',
    title: 'Kitchen set for one hand and a hook',
    description:
      'Four additions to an ordinary kitchen for people who use a split hook: a knife with a ring, a cutting board with a fence, a bottle foot and a pan with a second loop.\n\nNothing is special equipment; every part clips to what is already in the drawer. The sheet has measurements for the hook’s opening, so the ring can be printed to size.',
    occupation: 'Daily Living Activities',
    amputation_level: TR,
    age_group: 'Adults',
    prosthesis_type: 'Body-Powered',
    cost_range: LOW,
    materials: ['3D-Printed PLA', 'Aluminum'],
    custom_tags: ['cooking', 'kitchen', 'hook', 'independence'],
    patient_outcomes: 'Cooked a warm meal without help in the first week (seven of eight people).',
    pictures: [
      {
        art: 'kitchen-set/whole',
        description: 'Cutting board with a fence, knife with a ring, bottle foot and pan, seen from above',
      },
      {
        art: 'kitchen-set/bottle-foot',
        description: 'A hook steadying a bottle that stands in the printed foot',
      },
      {
        art: 'kitchen-set/whole',
        crop: [0.24, 0.36, 0.46],
        description: 'The tip of the hook in the ring of the knife',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 58,
    likes: ['amara', 'priya', 'ruth', 'daniel', 'sofia'],
    comments: [['priya', 'Could the fence be made for a left hook? I will try to mirror it.']],
  },
  {
    author: 'amara',
    title: 'Pen holder that writes from the shoulder',
    description:
      'A holder for a transhumeral prosthesis that turns large movements of the shoulder into small ones of the pen. A lever of 1 to 3 sits in the forearm; the paper lies on a board with a slight slope.\n\nThe user is an architect and draws with it. A magnet swaps pen, brush and eraser.',
    occupation: 'Writing & Drawing',
    amputation_level: TH,
    age_group: 'Adults',
    prosthesis_type: 'Body-Powered',
    cost_range: MID,
    materials: ['Aluminum', 'Carbon Fiber', '3D-Printed PLA'],
    custom_tags: ['drawing', 'lever', 'terminal device', 'work'],
    patient_outcomes:
      'Lettering 4 mm high is legible. A full plan sheet takes a third longer than before the accident.',
    challenges_overcome:
      'Play in the lever doubled at the pen. Ground dowel pins instead of screws brought it below 0.3 mm.',
    pictures: [
      {
        art: 'pen-holder/whole',
        description: 'Pen holder with its lever on a carbon forearm, drawing on a sloped board',
      },
      { art: 'pen-holder/heads', description: 'Magnetic heads with pen, brush and eraser' },
      {
        art: 'pen-holder/whole',
        crop: [0.34, 0.2, 0.42],
        description: 'The lever joint with its ground dowel pins',
      },
    ],
    consent: 'patient_written',
    status: 'approved',
    days_ago: 63,
    likes: ['leila', 'sofia', 'grace', 'kenji'],
    comments: [],
  },
  {
    author: 'kenji',
    title: 'Rocker shoe and prosthetic toe block after a ray amputation',
    description:
      'After loss of the first ray the foot rolls off medially and the second toe takes it all. A toe block of firm foam keeps the shoe’s shape, and a rocker 4° turned outwards moves the roll-off back to the middle.\n\nThe block is taken from the shoe’s last, not from the foot, so the shoe does not wrinkle over the gap.',
    occupation: 'Walking',
    amputation_level: 'Partial Foot',
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Gel Liners', 'Silicone'],
    custom_tags: ['first ray', 'rocker', 'footwear', 'toe block'],
    patient_outcomes: 'Callus under the second head gone in four months in 9 of 11 feet.',
    pictures: [
      { art: 'rocker-shoe/whole', description: 'Rocker shoe cut open at the front, the toe block inside' },
      {
        art: 'rocker-shoe/toe-block',
        description: 'Toe block at the first ray of the insert, the angle of roll-off marked',
      },
      {
        art: 'rocker-shoe/whole',
        crop: [0.46, 0.42, 0.44],
        description: 'The toe block and the turn of the rocker',
      },
    ],
    consent: 'patient_written',
    status: 'approved',
    days_ago: 70,
    likes: ['daniel', 'marcus', 'ruth'],
    comments: [
      [
        'ruth',
        'Four degrees, always? Or by the angle of gait?',
        [['kenji', 'Half the angle of gait, between 3° and 6°. Four is the median.']],
      ],
    ],
  },
  {
    author: 'hannah',
    title: 'Swim fin that clips to a transtibial socket',
    description:
      'A short fin for lane swimming with a check socket. The fin is cut from a bodyboard and bolted to a thermoplastic cup with a hinge, so the swimmer can walk from bench to water.\n\nKick frequency matters more than size: the third fin is half as large as the first and was the fastest.',
    occupation: 'Sports & Athletics',
    amputation_level: TT,
    age_group: 'Children, Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Thermoplastic', 'Silicone'],
    custom_tags: ['swimming', 'fin', 'check socket'],
    patient_outcomes: '100 m freestyle eleven seconds faster; no shoulder pain after forty lengths.',
    pictures: [
      {
        art: 'swim-fin/whole',
        description: 'Transtibial socket with the hinged fin, clip and second fin beside it',
      },
      { art: 'swim-fin/in-use', description: 'The fin kicking below the surface of the water' },
      {
        art: 'swim-fin/whole',
        crop: [0.32, 0.38, 0.42],
        description: 'Thermoplastic cup, hinge and the root of the fin',
      },
    ],
    clip: { name: 'swim-fin', description: 'The fin kicking below the surface' },
    consent: 'patient_written',
    status: 'approved',
    days_ago: 78,
    likes: ['tomasz', 'ingrid', 'olu', 'priya'],
    comments: [['tomasz', 'The pool at Northgate wants to see this.']],
  },
  {
    author: 'sofia',
    title: 'Silicone finger covers that keep a touch screen working',
    description:
      'Thin covers for a myoelectric hand with a conductive thread in thumb and index finger, so that a phone answers. The thread ends at a pad that touches the metal frame of the hand.\n\nColour is matched in daylight and again under the lamps of the user’s office. The covers are cast in a mould printed from the hand’s own CAD data.',
    occupation: 'Precision Work',
    amputation_level: TR,
    age_group: 'Adults',
    prosthesis_type: 'Myoelectric',
    cost_range: MID,
    materials: ['Silicone', 'Custom Alloys'],
    custom_tags: ['touch screen', 'glove', 'silicone', 'myo'],
    durability_testing: 'Thread resistance below 400 Ω after 20,000 taps; covers last ten months.',
    pictures: [
      {
        art: 'finger-covers/in-use',
        description: 'Index finger in its silicone cover touching the screen of a phone',
      },
      {
        art: 'finger-covers/mould',
        description: 'Both halves of the printed mould with two finished covers',
      },
      {
        art: 'finger-covers/in-use',
        crop: [0.3, 0.3, 0.42],
        description: 'Conductive thread along the edge of the cover',
      },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 300,
    likes: ['leila', 'grace', 'amara', 'kenji', 'ingrid', 'hannah'],
    comments: [
      [
        'grace',
        'Clever earth path. Does the hand’s own electronics mind?',
        [['sofia', 'No change in the signals in six hands. A 1 MΩ resistor sits in the pad to be safe.']],
      ],
    ],
  },
  {
    author: 'marcus',
    title: 'Field repair kit for a transtibial leg, sent by post',
    description:
      'A box the size of a book for people two hours from a workshop: spare pyramid screws, thread lock, two valves, a liner patch, a torque key set to 15 Nm and pictures for each step.\n\nEach kit is packed for one leg and carries its serial numbers. A video call is booked for the repair; no one is left alone with it.',
    occupation: 'Daily Living Activities',
    amputation_level: TT,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Custom Alloys', 'Silicone'],
    custom_tags: ['rural', 'repair', 'remote clinic', 'kit'],
    patient_outcomes:
      '41 kits in two years; 27 repairs at home, 54 journeys saved, one call that ended in “please come in”.',
    pictures: [
      {
        art: 'repair-kit/whole',
        description: 'Open repair kit with screws, thread lock, valves, liner patch and torque key',
      },
      { art: 'repair-kit/in-use', description: 'Torque key on a screw of the pyramid clamp' },
      { art: 'repair-kit/whole', crop: [0.5, 0.45, 0.42], description: 'Torque key in its compartment' },
    ],
    consent: 'no_identifiable_person',
    status: 'approved',
    days_ago: 320,
    likes: ['olu', 'ruth', 'grace', 'henrik', 'daniel', 'tomasz'],
    comments: [
      [
        'ruth',
        'Who is responsible for the torque if it is done at home?',
        [
          [
            'marcus',
            'We are: the call is recorded in the notes and the key is pre-set. Our governance board asked the same.',
          ],
        ],
      ],
    ],
  },
  {
    author: 'amara',
    title: 'Quick-release glove for a cyclist’s body-powered hand',
    description:
      'A glove with a magnet in the palm and one on the handlebar. It holds against braking and lets go sideways, so that the hand is free in a fall. Under review at the moment; measurements of the release force are in the pictures.\n\nThe magnets sit in printed cups and can be turned to change the force between 30 and 75 N.',
    occupation: 'Sports & Athletics',
    amputation_level: TR,
    age_group: 'Adults',
    prosthesis_type: 'Body-Powered',
    cost_range: LOW,
    materials: ['3D-Printed PLA', 'Silicone'],
    custom_tags: ['cycling', 'magnet', 'release'],
    pictures: [
      {
        art: 'magnet-glove/whole',
        description:
          'Leather glove with a magnet in the palm beside the handlebar that carries the other one',
      },
      {
        art: 'magnet-glove/magnets',
        description: 'Printed cups, magnet and steel plate in the order in which they are put together',
      },
      { art: 'magnet-glove/whole', crop: [0.28, 0.25, 0.42], description: 'The magnet in its printed cup' },
    ],
    consent: 'no_identifiable_person',
    status: 'pending',
    days_ago: 1,
    likes: [],
    comments: [],
  },
  {
    author: 'hannah',
    title: 'Balance board game for the first week on a new leg',
    description:
      'A board with four pressure sensors and a game on a tablet in which a ball is steered by shifting weight. Ten minutes a day in the first week after delivery of a transtibial prosthesis.\n\nThe score is the share of weight on the prosthetic side; the game ends when both sides are even. Parts cost less than a pair of crutches.',
    occupation: 'Balance & Stability',
    amputation_level: TT,
    age_group: 'Children, Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Aluminum'],
    custom_tags: ['balance', 'rehabilitation', 'game'],
    patient_outcomes: 'Weight on the prosthetic side rose from 34 to 46 % in seven days (n = 9).',
    pictures: [
      {
        art: 'balance-board/whole',
        description: 'Balance board with four sensors and the game on a tablet, seen from above',
      },
      { art: 'balance-board/in-use', description: 'Both feet on the board, the prosthetic one at the front' },
      {
        art: 'balance-board/whole',
        crop: [0.6, 0.22, 0.4],
        description: 'The ball that is steered by shifting weight',
      },
    ],
    clip: { name: 'balance-board', description: 'The board tilting as weight shifts from heel to toe' },
    consent: 'no_identifiable_person',
    status: 'pending',
    days_ago: 3,
    likes: [],
    comments: [],
  },
  {
    author: 'amara',
    title: 'Cutlery cuff for a short transradial limb',
    description:
      'A thermoplastic cuff with a slot that takes ordinary cutlery. It is worn without a prosthesis, at home, by people whose arm is too short for a socket to be comfortable at the table.\n\nThe slot is lined with silicone and turned 15° inwards. Two sizes have fitted seven people so far.',
    occupation: 'Daily Living Activities',
    amputation_level: TR,
    age_group: 'Adults',
    prosthesis_type: 'Passive',
    cost_range: LOW,
    materials: ['Thermoplastic', 'Silicone'],
    custom_tags: ['eating', 'cuff', 'home'],
    pictures: [
      {
        art: 'cutlery-cuff/whole',
        description: 'Opened cuff with its slot, and the fork, knife and spoon that fit it',
      },
      {
        art: 'cutlery-cuff/in-use',
        description: 'The cuff on a short forearm, holding a spoon over a plate',
      },
      { art: 'cutlery-cuff/in-use', crop: [0, 0.26, 0.46], description: 'Strap and buckle of the cuff' },
    ],
    consent: 'patient_written',
    status: 'rejected',
    rejection_reason:
      'Thank you for this, it will help many people. In the second picture the hospital label on the bag can be read; please cover it or choose another picture, and send the solution again.',
    days_ago: 8,
    likes: [],
    comments: [],
  },
];
