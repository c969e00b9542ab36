//! Serves the fixture site until Enter is pressed, for people who want to look at its pages.

fn main() -> std::io::Result<()> {
    let site = support::Site::start();
    println!("{}\n{}\nEnter ends it.", site.a("/"), site.b("/"));
    std::io::stdin().read_line(&mut String::new()).map(|_| ())
}
