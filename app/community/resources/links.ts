import type { CategoryName } from './categories.ts';

interface BuiltInLink {
  name: string;
  url: string;
  text: string;
}

/** The built-in links, independent of members' suggestions; chosen by hand, each checked at this address. */
export const builtInLinks: Record<CategoryName, readonly BuiltInLink[]> = {
  'Professional Organizations': [
    {
      name: 'International Society for Prosthetics and Orthotics (ISPO)',
      url: 'https://www.ispoint.org/',
      text: 'The worldwide multidisciplinary society of the field: member societies, recognised schools, congresses and training guidelines.',
    },
    {
      name: 'British Association of Prosthetists and Orthotists (BAPO)',
      url: 'https://www.bapo.com/',
      text: 'The UK’s professional body, with standards for best practice, a scope of practice, courses and careers advice.',
    },
    {
      name: 'Health and Care Professions Council (HCPC)',
      url: 'https://www.hcpc-uk.org/',
      text: 'Regulates prosthetists and orthotists in the UK; check the register or raise a concern.',
    },
    {
      name: 'American Academy of Orthotists and Prosthetists',
      url: 'https://www.oandp.org/',
      text: 'The US practitioners’ academy, founded in 1970, with continuing education and clinical literature.',
    },
    {
      name: 'American Orthotic & Prosthetic Association (AOPA)',
      url: 'https://www.aopanet.org/',
      text: 'The US association of clinics and makers: advocacy, research and education for access to care.',
    },
  ],
  'Educational Resources': [
    {
      name: 'Physiopedia: Amputee Rehabilitation',
      url: 'https://www.physio-pedia.com/Amputee_Rehabilitation',
      text: 'Open reference pages on assessment, prosthetic training and outcome measures, written by physiotherapists.',
    },
    {
      name: 'O&P Virtual Library',
      url: 'https://www.oandplibrary.org/',
      text: 'Digitised classics, among them the Atlas of Limb Prosthetics on surgical, prosthetic and rehabilitation principles.',
    },
    {
      name: 'University of Strathclyde: BSc Prosthetics & Orthotics',
      url: 'https://www.strath.ac.uk/courses/undergraduate/prostheticsorthotics/',
      text: 'A four-year UK degree approved by the HCPC and accredited by ISPO, taught at the National Centre.',
    },
    {
      name: 'University of Strathclyde: Rehabilitation Studies',
      url: 'https://www.strath.ac.uk/courses/postgraduatetaught/prostheticsorthoticsrehabilitationstudies/',
      text: 'Modular distance learning for people already at work: biomechanics, gait analysis and clinical governance.',
    },
    {
      name: 'Human Study',
      url: 'https://www.human-study.org/',
      text: 'Blended training in prosthetics and orthotics for practitioners in places short of schools.',
    },
  ],
  'Research & Publications': [
    {
      name: 'Prosthetics and Orthotics International',
      url: 'https://journals.lww.com/poijournal/',
      text: 'ISPO’s peer-reviewed journal on clinical, technical and educational research.',
    },
    {
      name: 'Journal of Prosthetics and Orthotics',
      url: 'https://journals.lww.com/jpojournal/',
      text: 'The American Academy’s peer-reviewed journal; editorials and many older articles are free to read.',
    },
    {
      name: 'Canadian Prosthetics & Orthotics Journal',
      url: 'https://jps.library.utoronto.ca/index.php/cpoj/index',
      text: 'Open-access articles, with summaries for readers who are not experts.',
    },
    {
      name: 'Journal of NeuroEngineering and Rehabilitation',
      url: 'https://jneuroengrehab.biomedcentral.com/',
      text: 'Open-access research on wearable devices, control and rehabilitation technology.',
    },
    {
      name: 'Cochrane Rehabilitation',
      url: 'https://rehabilitation.cochrane.org/',
      text: 'Brings the evidence of Cochrane’s systematic reviews to those who work in rehabilitation.',
    },
    {
      name: 'PubMed',
      url: 'https://pubmed.ncbi.nlm.nih.gov/',
      text: 'The free index of biomedical literature kept by the US National Library of Medicine.',
    },
  ],
  'Design & Manufacturing Tools': [
    {
      name: 'e-NABLE',
      url: 'https://hub.e-nable.org/',
      text: 'A volunteer community with open designs for 3D-printed hands and arms, and guides for making them.',
    },
    {
      name: 'Open-Source Leg',
      url: 'https://opensourceleg.org/',
      text: 'Hardware, electronics and software of a robotic knee and ankle for research on control.',
    },
    {
      name: 'OpenSim',
      url: 'https://opensim.stanford.edu/',
      text: 'Free software that models muscles and skeleton and simulates movement, gait included.',
    },
    {
      name: 'FreeCAD',
      url: 'https://www.freecad.org/',
      text: 'Open-source parametric 3D modelling for parts that must be changed by their measurements.',
    },
    {
      name: 'MeshLab',
      url: 'https://www.meshlab.net/',
      text: 'Open-source cleaning, repair, alignment and conversion of 3D scans before they are printed.',
    },
    {
      name: 'NIH 3D',
      url: 'https://3d.nih.gov/',
      text: 'A public collection of biomedical models to download and print; check each entry’s licence.',
    },
  ],
  'Standards & Guidelines': [
    {
      name: 'ISO 10328: structural testing of lower-limb prostheses',
      url: 'https://www.iso.org/standard/70205.html',
      text: 'Static and cyclic strength tests for lower-limb prostheses; not a guide for choosing a device.',
    },
    {
      name: 'ISO 8549-2: vocabulary of external limb prostheses',
      url: 'https://www.iso.org/standard/82792.html',
      text: 'The terms used to describe prostheses; their components are classified in ISO 13405, parts 1 to 3.',
    },
    {
      name: 'WHO standards for prosthetics and orthotics',
      url: 'https://www.ispoint.org/page/WHOStandards',
      text: 'What a service needs in policy, products, personnel and provision, with an implementation manual.',
    },
    {
      name: 'HCPC standards of proficiency',
      url: 'https://www.hcpc-uk.org/standards/standards-of-proficiency/prosthetists-orthotists/',
      text: 'What prosthetists and orthotists must know and be able to do to be registered in the UK.',
    },
    {
      name: 'NHS England: prosthetics service review',
      url: 'https://www.england.nhs.uk/commissioning/spec-services/npc-crg/group-d/rehabilitation-and-disability/prosthetics-review/',
      text: 'How specialised prosthetic services in England are commissioned, and how they were reviewed.',
    },
    {
      name: 'MHRA: custom-made devices in Great Britain',
      url: 'https://www.gov.uk/government/publications/custom-made-medical-devices/custom-made-devices-in-great-britain',
      text: 'When a device made for one patient counts as custom-made, and what its maker has to do.',
    },
    {
      name: 'VA/DoD guideline: lower limb amputation',
      url: 'https://journals.lww.com/ajpmr/Fulltext/2019/09000/Clinical_Practice_Guidelines_for_the.13.aspx',
      text: 'A free summary of the 2017 US guideline on rehabilitation; look for later editions before relying on it.',
    },
  ],
  'Patient Resources': [
    {
      name: 'Limbless Association',
      url: 'https://limbless-association.org/',
      text: 'UK charity with volunteer visitors, support hubs and advice, so that no one has to cope alone.',
    },
    {
      name: 'Blesma, The Limbless Veterans',
      url: 'https://blesma.org/',
      text: 'Supports serving and former members of the UK’s forces who have lost limbs, for life.',
    },
    {
      name: 'Reach',
      url: 'https://reach.org.uk/',
      text: 'UK charity for children with upper limb differences and their families.',
    },
    {
      name: 'Finding Your Feet',
      url: 'https://findingyourfeet.net/',
      text: 'Clubs, counselling and peer support in Scotland for people with limb loss or limb absence.',
    },
    {
      name: 'Amputee Coalition',
      url: 'https://www.amputee-coalition.org/',
      text: 'The US charity behind the National Limb Loss Resource Center, with support groups and peer visitors.',
    },
    {
      name: 'Limbs 4 Life',
      url: 'https://www.limbs4life.org.au/',
      text: 'Peer support and information for amputees and their families in Australia.',
    },
  ],
};
