declare module 'occt-import-js' {
  interface StepMesh {
    attributes: { position: { array: number[] } };
    index: { array: number[] };
  }
  interface OpenCascade {
    ReadStepFile(
      content: Uint8Array,
      options: { linearUnit: 'millimeter'; linearDeflection: number },
    ): { success: boolean; meshes: StepMesh[] };
  }
  export default function load(): Promise<OpenCascade>;
}
