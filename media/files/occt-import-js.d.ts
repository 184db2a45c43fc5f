declare module 'occt-import-js' {
  interface StepMesh {
    attributes: { position: { array: number[] } };
    index: { array: number[] };
    /** From 0 to 1, of the whole and of faces: the triangles from `first` to `last`. */
    color?: [number, number, number];
    brep_faces: { first: number; last: number; color: [number, number, number] | null }[];
  }
  interface OpenCascade {
    ReadStepFile(
      content: Uint8Array,
      options: { linearUnit: 'millimeter'; linearDeflection: number },
    ): { success: boolean; meshes: StepMesh[] };
  }
  export default function load(): Promise<OpenCascade>;
}
