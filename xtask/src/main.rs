mod bench;
fn main() {
    bench::probe()
}
